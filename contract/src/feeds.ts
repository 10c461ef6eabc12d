import { z } from 'zod'
import { Id, text, Timestamp } from './values.ts'

/** `full`: titles, the planner's reasons and links to the tasks; `titles`: titles only; `busy`: times only. */
export const FeedDetail = z.enum(['full', 'titles', 'busy'])

const Name = text(1, 100).meta({ description: 'The name that calendar programs show' })

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ec1',
  name: 'My plan',
  detail: 'full' as const,
  createdAt: '2026-03-02T08:00:00.000Z',
  lastReadAt: null,
}

export const Feed = z
  .object({
    id: Id,
    name: Name,
    detail: FeedDetail,
    createdAt: Timestamp,
    lastReadAt: Timestamp.nullable().meta({
      description: 'When a calendar program last read the feed, to within an hour; null if never',
    }),
  })
  .meta({ id: 'Feed', examples: [example] })

/** The response to creating a feed: the only one that contains its address. */
export const IssuedFeed = Feed.extend({
  path: z.string().meta({
    description: 'The path of the iCalendar file on this service; no sign-in is needed to read it',
  }),
}).meta({
  id: 'IssuedFeed',
  examples: [{ ...example, path: '/feeds/dwf_AZgPLgAAfT6bVAAAAAAAAQ_Rk3vPz….ics' }],
})

export const NewFeed = z
  .object({
    name: Name,
    detail: FeedDetail.optional().meta({ description: 'What the feed shows; default: `full`' }),
  })
  .meta({ id: 'NewFeed', examples: [{ name: 'My plan', detail: 'titles' }] })

export type FeedDetail = z.infer<typeof FeedDetail>
export type Feed = z.infer<typeof Feed>
export type IssuedFeed = z.infer<typeof IssuedFeed>
export type NewFeed = z.infer<typeof NewFeed>

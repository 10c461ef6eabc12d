// How an action runs: optimistic update, refusal, refetch, undo and redo.
import { describe, expect, it, onRequest, refusal, sent } from '../../test/it.ts'
import type { Label, ListedLabel } from '@daywright/contract'
import { vi } from 'vitest'
import { shownToasts } from './toasts.ts'
import { createLabel, updateLabel } from './actions/labels.ts'
import { api, Refusal } from './api.ts'
import { cache, onUnauthorized } from './query-client.ts'
import { applyOptimisticUpdate } from './optimistic-update.ts'
import { keys } from './keys.ts'
import { fieldErrors, errorMessage, perform, describeFailedChange } from './run-mutation.ts'
import type { Action } from './action.ts'
import { queries } from './queries.ts'
import { whenIdle, beginAction, endAction, refresh } from './refresh.ts'
import { lastDone } from './steps.ts'
import { redoLast, revertLast, undoLast } from './undo.ts'

const texts = () => shownToasts().map(({ text }) => text)
const names = () => cache.getQueryData<ListedLabel[]>(keys.labels)?.map(({ name }) => name)
const rename = (label: Label, name: string) => updateLabel(label, { name }, `Now ${name}.`)

describe('perform', () => {
  it('shows a toast with Undo', async ({ elsewhere }) => {
    await perform(createLabel('home', '#112233'))

    expect(shownToasts()).toMatchObject([
      { text: 'Created label “home”.', actions: [{ label: 'Undo' }] },
    ])
    shownToasts()[0]?.actions?.[0]?.run()
    await expect.poll(async () => (await elsewhere.labels.list()).length).toBe(0)
  })

  it('rolls back if the service refuses, and fetches again', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'home' })
    await cache.fetchQuery(queries.labels())
    onRequest((_, { method }) => (method === 'PATCH' ? refusal(422, 'Not so') : undefined))

    const outcome = perform(rename(label, 'house'))
    expect(names()).toEqual(['house'])
    expect(await outcome).toMatchObject({ ok: false, error: { status: 422 } })

    expect(names()).toEqual(['home'])
    expect(texts()).toEqual(['Not so'])
    await expect.poll(() => cache.getQueryState(keys.labels)?.isInvalidated).toBe(true)
  })

  it('sends nothing while the browser is offline', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'home' })
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)

    expect(await perform(rename(label, 'house'))).toMatchObject({ ok: false })
    vi.restoreAllMocks()

    expect(sent('PATCH')).toEqual([])
    expect(texts()).toEqual(['You are offline. Changes can’t be saved.'])
  })

  it('says that the change may not be saved if no answer came', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'home' })
    onRequest((_, { method }) => {
      if (method === 'PATCH') throw new TypeError('network')
      return undefined
    })

    await perform(rename(label, 'house'))

    expect(shownToasts()).toMatchObject([
      {
        text: 'The server did not respond. Your change may not be saved.',
        actions: [{ label: 'Try again' }],
      },
    ])
  })

  it('says that the change may not be saved if the service failed', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'home' })
    onRequest((_, { method }) => (method === 'PATCH' ? refusal(500, 'Broken') : undefined))

    await perform(rename(label, 'house'))

    expect(shownToasts()).toMatchObject([
      {
        text: 'Something went wrong on the server. Your change may not be saved.',
        actions: [{ label: 'Try again' }],
      },
    ])
  })

  it('asks to reload the page if a response does not match the contract', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'home' })
    onRequest((_, { method }) => (method === 'PATCH' ? Response.json({ id: 7 }) : undefined))

    await perform(rename(label, 'house'))

    expect(texts()).toEqual(['This page is out of date. Reload it and try again.'])
  })

  it('401: reports the ended session, without a toast', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'home' })
    const ended = vi.fn<() => void>()
    onUnauthorized(ended)
    onRequest(() => refusal(401, 'Unauthorized'))

    await perform(rename(label, 'house'))
    onUnauthorized(() => {})

    expect(ended).toHaveBeenCalledOnce()
    expect(texts()).toEqual([])
  })

  it('sends the changes of one record one at a time', async ({ elsewhere }) => {
    expect(elsewhere).toBeDefined()
    const log: string[] = []
    const ended = Promise.withResolvers<void>()
    const slow: Action = {
      record: 'a',
      send: async () => {
        log.push('first')
        await ended.promise
        log.push('first done')
      },
    }
    const quick: Action = { record: 'a', send: async () => void log.push('second') }
    const other: Action = { record: 'b', send: async () => void log.push('other') }

    const all = [perform(slow), perform(quick), perform(other)]
    await all[2]
    expect(log).toEqual(['first', 'other'])
    ended.resolve()
    await Promise.all(all)

    expect(log).toEqual(['first', 'other', 'first done', 'second'])
  })

  it('settles only the last of several changes of a record', async ({ elsewhere }) => {
    expect(elsewhere).toBeDefined()
    const settled: string[] = []
    const change = (name: string): Action<string> => ({
      record: 'a',
      send: async () => name,
      settle: (answer) => settled.push(answer),
    })

    await Promise.all([perform(change('first')), perform(change('last'))])

    expect(settled).toEqual(['last'])
  })
})

describe('applyOptimisticUpdate', () => {
  it('rolls back only data that nothing else has changed since', async ({ elsewhere }) => {
    expect(elsewhere).toBeDefined()
    cache.setQueryData(['one'], 1)
    cache.setQueryData(['two'], 1)
    const expectation = applyOptimisticUpdate(({ update }) => {
      update<number>(['one'], (value) => value + 1)
      update<number>(['one'], (value) => value + 1)
      update<number>(['two'], (value) => value + 1)
      update<number>(['not kept'], () => 1)
    })
    expect(cache.getQueryData(['one'])).toBe(3)
    cache.setQueryData(['two'], 9)

    expectation.rollback()

    expect(expectation.touched).toEqual([['one'], ['two']])
    expect(cache.getQueryData(['one'])).toBe(1)
    expect(cache.getQueryData(['two'])).toBe(9)
    expect(cache.getQueryState(['two'])?.isInvalidated).toBe(true)
    expect(cache.getQueryData(['not kept'])).toBeUndefined()
  })
})

describe('refresh', () => {
  it('waits until no action is running, and then invalidates', async ({ elsewhere }) => {
    expect(elsewhere).toBeDefined()
    cache.setQueryData(['kept'], 1)
    const isInvalidated = () => cache.getQueryState(['kept'])?.isInvalidated
    vi.useFakeTimers()
    beginAction()
    refresh(['kept'])
    refresh(['kept'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(isInvalidated()).toBe(false)

    endAction()
    await whenIdle()
    await vi.advanceTimersByTimeAsync(100)
    vi.useRealTimers()

    expect(isInvalidated()).toBe(true)
  })
})

describe('undo and redo', () => {
  it('go back and forth, one step at a time', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'one' })
    await perform(rename(label, 'two'))
    await perform(rename(label, 'three'))
    const stored = async () => (await elsewhere.labels.list())[0]?.name

    await undoLast()
    expect(await stored()).toBe('two')
    await undoLast()
    expect(await stored()).toBe('one')
    await redoLast()
    expect(await stored()).toBe('two')
    await redoLast()
    expect(await stored()).toBe('three')
    await undoLast()
    expect(await stored()).toBe('two')
  })

  it('report that there is nothing to undo or redo', async ({ elsewhere }) => {
    expect(elsewhere).toBeDefined()
    await undoLast()
    await redoLast()

    expect(texts()).toEqual(['Nothing to undo.', 'Nothing to redo.'].slice(-texts().length))
  })

  it('forget redo after a new step, and ignore actions without undo', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'one' })
    await perform(rename(label, 'two'))
    await undoLast()
    await perform(rename(label, 'three'))
    await redoLast()
    expect(texts().at(-1)).toBe('Nothing to redo.')

    await perform({ send: () => api.labels.list() })
    expect(lastDone()?.says).toBe('Now three.')
  })

  it('revertLast: reverts only a person’s change, and only once', async ({ elsewhere }) => {
    const label = await elsewhere.labels.create({ name: 'one' })
    await elsewhere.labels.update(label.id, { name: 'two' })
    await elsewhere.labels.update(label.id, { color: '#112233' })

    await revertLast(label.id, ['name'])

    expect(await elsewhere.labels.list()).toMatchObject([{ name: 'one', color: '#112233' }])
    await expect(revertLast(label.id, ['name'])).rejects.toThrow('This change is too old to undo.')
  })
})

describe('an error message', () => {
  const refused = (status: number, body: object) =>
    new Refusal(new Response(null, { status }), { error: 'Some words', ...body })

  it('names the field, or says what went wrong', () => {
    expect(errorMessage(refused(400, { details: { title: ['Too long'] } }))).toBe('title: Too long')
    expect(errorMessage(refused(404, {}))).toBe('This was deleted elsewhere.')
    expect(errorMessage(refused(503, {}))).toBe('Something went wrong on the server.')
    expect(errorMessage(refused(409, {}))).toBe('Some words')
    expect(errorMessage(new TypeError('network'))).toBe('The server did not respond.')
  })

  it('says that a change may not be saved only if the outcome is unknown', () => {
    expect(describeFailedChange(refused(500, {}))).toBe(
      'Something went wrong on the server. Your change may not be saved.',
    )
    expect(describeFailedChange(new TypeError('network'))).toBe(
      'The server did not respond. Your change may not be saved.',
    )
    expect(describeFailedChange(refused(409, {}))).toBe('Some words')
  })

  it('is available per field for a form', () => {
    const details = { title: ['Too long', 'Odd'] }
    expect(fieldErrors(refused(400, { details }))).toEqual({ title: 'Too long, Odd' })
    expect(fieldErrors(refused(409, { field: 'name' }))).toEqual({ name: 'Some words' })
    expect(fieldErrors(new Error('x'))).toEqual({})
  })
})

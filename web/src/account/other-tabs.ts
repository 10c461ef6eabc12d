// The tabs of this browser tell each other when somebody signs in or out.
export type SessionNews =
  | { kind: 'signed in'; userId: string }
  | { kind: 'signed out' }
  | { kind: 'session ended' }

const channel = new BroadcastChannel('daywright.session')

export const tellOtherTabs = (news: SessionNews) => channel.postMessage(news)

export function listenToOtherTabs(take: (news: SessionNews) => void) {
  channel.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => take(data))
}

// Tells the other tabs of this browser about sign-in and sign-out.
export type SessionNews =
  | { kind: 'signed in'; userId: string }
  | { kind: 'signed out' }
  | { kind: 'session ended' }

const channel = new BroadcastChannel('daywright.session')

export const tellOtherTabs = (news: SessionNews) => channel.postMessage(news)

export function listenToOtherTabs(take: (news: SessionNews) => void) {
  channel.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => take(data))
}

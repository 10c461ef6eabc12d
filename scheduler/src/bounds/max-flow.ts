// Maximum flow (Dinic) and the minimum cut: how much work fits, and which work competes with it.

export type Network = {
  /** Per arc; arc `a ^ 1` is its reverse. */
  to: number[]
  residual: number[]
  /** Per node, its arcs. */
  arcs: number[][]
}

export function newNetwork(nodes: number): Network {
  return { to: [], residual: [], arcs: Array.from({ length: nodes }, () => []) }
}

/** Adds an arc and returns its number. */
export function addArc(
  { to, residual, arcs }: Network,
  tail: number,
  head: number,
  capacity: number,
) {
  const arc = to.length
  to.push(head, tail)
  residual.push(capacity, 0)
  arcs[tail]?.push(arc)
  arcs[head]?.push(arc + 1)
  return arc
}

/** The flow on an arc, in its own direction. */
export const flowOn = ({ residual }: Network, arc: number) => residual[arc + 1] ?? 0

/** Adds as much flow as fits, at most `limit`, to the present flow; returns how much was added. */
export function pushFlow(network: Network, source: number, sink: number, limit = Infinity) {
  let sent = 0
  while (sent < limit) {
    const level = levels(network, source, sink)
    if (!level[sink]) return sent
    sent += blockingFlow(network, level, source, sink, limit - sent)
  }
  return sent
}

/** The nodes that `source` still reaches: after a maximum flow, its side of the minimum cut. */
export function reachable(network: Network, source: number) {
  return levels(network, source, -1)
}

/** Breadth first: 1 for the source, 0 for nodes that it cannot reach. */
function levels({ to, residual, arcs }: Network, source: number, sink: number) {
  const level = new Int32Array(arcs.length)
  level[source] = 1
  const queue = [source]
  for (const node of queue) {
    if (node === sink) break
    for (const arc of arcs[node]!) {
      const next = to[arc]!
      if (level[next] || !residual[arc]) continue
      level[next] = level[node]! + 1
      queue.push(next)
    }
  }
  return level
}

// Without recursion: a path may be as long as there are tasks.
function blockingFlow(
  { to, residual, arcs }: Network,
  level: Int32Array,
  source: number,
  sink: number,
  limit: number,
) {
  const tried = new Int32Array(arcs.length)
  const path: number[] = []
  let sent = 0
  let node = source
  while (sent < limit) {
    if (node === sink) {
      let amount = limit - sent
      for (const arc of path) amount = Math.min(amount, residual[arc]!)
      for (const arc of path) {
        residual[arc]! -= amount
        residual[arc ^ 1]! += amount
      }
      sent += amount
      const full = path.findIndex((arc) => !residual[arc])
      if (full < 0) return sent
      node = to[path[full]! ^ 1]!
      path.length = full
      continue
    }
    const arc = arcs[node]![tried[node]!]
    if (arc === undefined) {
      const back = path.pop()
      if (back === undefined) return sent
      node = to[back ^ 1]!
      tried[node]!++
    } else if (residual[arc]! && level[to[arc]!] === level[node]! + 1) {
      path.push(arc)
      node = to[arc]!
    } else tried[node]!++
  }
  return sent
}

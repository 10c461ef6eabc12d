// A linear program, built row by row and column by column, for HiGHS. Development only.

export type Solver = { createModel: (data: unknown) => SolverModel; infinity: number }

type SolverModel = {
  options: { set: (options: Record<string, unknown>) => void }
  info: { get: (name: string) => number | bigint }
  run: () => unknown
  getModelStatus: () => number
  getObjectiveValue: () => number
  getSolution: () => { colValue: ArrayLike<number>; rowDual?: ArrayLike<number> }
  dispose: () => void
}

export type Solution = {
  optimal: boolean
  value: number
  /** The lower bound that the solver proved for an integer program. */
  proven: number
  columns: ArrayLike<number>
  duals: ArrayLike<number>
}

const OPTIMAL = 7

/** Loaded only to compute bounds: comparing with them needs no solver. */
export const loadSolver = async (): Promise<Solver> => {
  const { default: load } = (await import('highs')) as unknown as { default: () => Promise<Solver> }
  return load()
}

export class LinearProgram {
  readonly cost: number[] = []
  readonly lower: number[] = []
  readonly upper: number[] = []
  readonly whole: number[] = []
  readonly rowLower: number[] = []
  readonly rowUpper: number[] = []
  readonly starts: number[] = [0]
  readonly rows: number[] = []
  readonly values: number[] = []

  /** The number of the new row; its entries come with the columns. */
  row(lower: number, upper: number): number {
    this.rowUpper.push(upper)
    return this.rowLower.push(lower) - 1
  }

  column(
    cost: number,
    lower: number,
    upper: number,
    entries: readonly (readonly [number, number])[],
    whole = false,
  ): number {
    for (const [row, value] of entries) {
      this.rows.push(row)
      this.values.push(value)
    }
    this.starts.push(this.rows.length)
    this.lower.push(lower)
    this.upper.push(upper)
    this.whole.push(whole ? 1 : 0)
    return this.cost.push(cost) - 1
  }

  solve(solver: Solver, options: Record<string, unknown> = {}, relaxed = false): Solution {
    const integer = !relaxed && this.whole.includes(1)
    const model = solver.createModel({
      numCols: this.cost.length,
      numRows: this.rowLower.length,
      colCost: Float64Array.from(this.cost),
      colLower: Float64Array.from(this.lower),
      colUpper: Float64Array.from(this.upper),
      rowLower: Float64Array.from(this.rowLower),
      rowUpper: Float64Array.from(this.rowUpper),
      matrix: {
        format: 'csc',
        numRows: this.rowLower.length,
        numCols: this.cost.length,
        starts: Int32Array.from(this.starts),
        indices: Int32Array.from(this.rows),
        values: Float64Array.from(this.values),
      },
      ...(integer ? { integrality: Int32Array.from(this.whole) } : {}),
    })
    try {
      model.options.set({ output_flag: false, ...options })
      model.run()
      const optimal = model.getModelStatus() === OPTIMAL
      const { colValue, rowDual } = model.getSolution()
      return {
        optimal,
        value: model.getObjectiveValue(),
        proven: integer ? Number(model.info.get('mip_dual_bound')) : -Infinity,
        columns: colValue,
        duals: rowDual ?? [],
      }
    } finally {
      model.dispose()
    }
  }

  /**
   * Duals for a program with too many columns to solve directly: starts with some and adds those
   * that improve the result, until none does or the rounds are used up.
   */
  dualsByColumns(
    solver: Solver,
    begins: (column: number) => boolean,
    rounds: number,
  ): Float64Array {
    const inside = Uint8Array.from(this.cost, (_, j) => (begins(j) ? 1 : 0))
    let best = new Float64Array(this.rowLower.length)
    let bestBound = -Infinity
    for (let round = 0; round < rounds; round++) {
      const { duals, value } = this.part(inside).solve(solver, {}, true)
      const bound = this.dualBound(duals)
      if (bound > bestBound) {
        bestBound = bound
        best = Float64Array.from(duals)
      }
      if (value - bestBound <= 1e-5 * Math.abs(value)) break
      for (let j = 0; j < inside.length; j++) {
        if (!inside[j] && this.reduced(j, duals) < -1e-6) inside[j] = 1
      }
    }
    return best
  }

  private part(inside: Uint8Array): LinearProgram {
    const part = new LinearProgram()
    for (const [i, lower] of this.rowLower.entries()) part.row(lower, this.rowUpper[i]!)
    for (const [j, cost] of this.cost.entries()) {
      if (!inside[j]) continue
      const entries: [number, number][] = []
      for (let k = this.starts[j]!; k < this.starts[j + 1]!; k++) {
        entries.push([this.rows[k]!, this.values[k]!])
      }
      part.column(cost, this.lower[j]!, this.upper[j]!, entries)
    }
    return part
  }

  private reduced(j: number, duals: ArrayLike<number>): number {
    let reduced = this.cost[j]!
    for (let k = this.starts[j]!; k < this.starts[j + 1]!; k++) {
      reduced -= duals[this.rows[k]!]! * this.values[k]!
    }
    return reduced
  }

  /**
   * A lower bound on the cost of any feasible point, by weak duality. It holds for any duals, so a solver's
   * tolerance or an early stop cannot make it wrong. Columns need finite bounds.
   */
  dualBound(duals: ArrayLike<number>): number {
    let sum = 0
    const y = Float64Array.from(duals)
    for (let i = 0; i < y.length; i++) {
      const side = y[i]! > 0 ? this.rowLower[i]! : this.rowUpper[i]!
      if (Number.isFinite(side)) sum += y[i]! * side
      else y[i] = 0
    }
    for (let j = 0; j < this.cost.length; j++) {
      const reduced = this.reduced(j, y)
      sum += reduced * (reduced < 0 ? this.upper[j]! : this.lower[j]!)
    }
    return sum
  }
}

import { Screen } from '../../ui/screen.tsx'
import { AtRisk } from './at-risk.tsx'
import { DueDateChances } from './due-date-chances.tsx'
import { EstimatesAgainstActuals } from './estimates-against-actuals.tsx'
import { FortnightLoad } from './fortnight-load.tsx'

export const InsightScreen = () => (
  <Screen title="Insight">
    <div className="min-h-0 flex-1 overflow-y-auto pb-20">
      <div className="mx-auto flex max-w-[1120px] flex-col gap-10 px-4 py-6 md:px-8">
        <FortnightLoad />
        <div className="grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_360px]">
          <AtRisk />
          <div className="flex flex-col gap-10">
            <DueDateChances />
            <EstimatesAgainstActuals />
          </div>
        </div>
      </div>
    </div>
  </Screen>
)

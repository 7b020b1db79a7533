// The cost of each campaign, beside its budget.
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Progress } from '../../components/status.js';
import { CopyableId, Money } from '../../components/values.js';
import type { DataOf } from '../../data/types.js';
import { spendStrings as strings } from '../../strings/spend.js';

type Spend = DataOf<'spend.get'>;
type Campaign = Spend['byCampaign'][number];

const columnsIn = (currency: string): readonly Column<Campaign>[] => [
  {
    id: 'campaign',
    header: strings.campaign,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ campaignId, name }) => (
      <div className="min-w-0">
        <bdi className="font-medium">{name}</bdi>
        <p>
          <CopyableId id={campaignId} name={strings.campaignId} short />
        </p>
      </div>
    ),
  },
  {
    id: 'spent',
    header: strings.spent,
    numeric: true,
    sortBy: ({ spentMicros }) => spentMicros,
    cell: ({ spentMicros }) => <Money micros={spentMicros} currency={currency} />,
  },
  {
    id: 'aside',
    header: strings.aside,
    numeric: true,
    sortBy: ({ reservedMicros }) => reservedMicros,
    cell: ({ reservedMicros }) => <Money micros={reservedMicros} currency={currency} />,
  },
  {
    id: 'budget',
    header: strings.budget,
    sortBy: ({ budgetMicros }) => budgetMicros,
    cell: ({ name, budgetMicros, spentMicros, reservedMicros }) =>
      budgetMicros === null ? (
        <span className="text-ink-soft">{strings.noBudget}</span>
      ) : (
        <div className="min-w-32">
          <Money micros={budgetMicros} currency={currency} />
          <Progress name={strings.budgetUsed(name)} value={spentMicros + reservedMicros} max={budgetMicros} />
        </div>
      ),
  },
];

export const CampaignsTable = ({ spend }: { readonly spend: Spend }) => (
  <section aria-labelledby="by-campaign" className="flex flex-col gap-3">
    <h2 id="by-campaign" className="font-semibold">
      {strings.byCampaign}
    </h2>
    <DataTable
      caption={strings.campaignsCaption}
      columns={columnsIn(spend.currency)}
      rows={spend.byCampaign}
      rowId={({ campaignId }) => campaignId}
      empty={
        <EmptyState
          title={strings.noCampaigns}
          text={strings.noCampaignsText}
          action={<ButtonLink to="/campaigns">{strings.toCampaigns}</ButtonLink>}
        />
      }
    />
  </section>
);

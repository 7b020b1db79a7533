// The people of a campaign: the state of each, why, and the call.
import type { CampaignRecipient } from '@parlance/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { Card, EmptyState } from '../../components/card.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { FilterBar, SelectFilter } from '../../components/filters.js';
import { StatusBadge, type Tone } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { downloadPeople } from '../../data/download.js';
import { useList } from '../../data/queries.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { bytesText, numberText } from '../../strings/format.js';
import { type PersonState, readPeopleSearch } from './people-search.js';

const route = getRouteApi('/app/campaigns/$campaignId');
const pageSize = 50;
const fileName = 'people.csv';

const tones: Readonly<Record<PersonState, Tone>> = {
  pending: 'neutral',
  queued: 'neutral',
  in_progress: 'accent',
  completed: 'good',
  voicemail: 'attention',
  no_answer: 'attention',
  busy: 'attention',
  failed: 'bad',
  cancelled: 'neutral',
  skipped: 'neutral',
  refused: 'bad',
};

const choices = Object.entries(strings.peopleStates).map(([value, label]) => ({ value, label }));

const Callee = ({ person }: { readonly person: CampaignRecipient }) => {
  const number = <bdi>{person.phoneNumber ?? strings.noNumber}</bdi>;
  return (
    <>
      {person.outboundCallId === null ? (
        number
      ) : (
        <Link
          to="/outbound-calls/$outboundId"
          params={{ outboundId: person.outboundCallId }}
          className={rowLinkClass}
        >
          {number}
        </Link>
      )}
      {person.name !== null && (
        <span className="block text-xs text-ink-soft">
          <bdi>{person.name}</bdi>
        </span>
      )}
    </>
  );
};

const columns: readonly Column<CampaignRecipient>[] = [
  { id: 'row', header: strings.row, labelled: true, cell: ({ rowNumber }) => numberText(rowNumber) },
  { id: 'person', header: strings.person, cell: (person) => <Callee person={person} /> },
  {
    id: 'state',
    header: strings.state,
    cell: ({ state }) => <StatusBadge tone={tones[state]}>{strings.peopleStates[state]}</StatusBadge>,
  },
  { id: 'why', header: strings.why, cell: ({ reason }) => <bdi>{reason?.message ?? ''}</bdi> },
  {
    id: 'attempts',
    header: strings.attempts,
    numeric: true,
    deskOnly: true,
    cell: ({ attempts }) => numberText(attempts),
  },
  {
    id: 'next',
    header: strings.nextAttempt,
    deskOnly: true,
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '' : <Moment at={nextAttemptAt} />),
  },
];

interface Shown {
  readonly campaignId: string;
  readonly state: PersonState | undefined;
}

const partsOf = ({ campaignId, state }: Shown) => ({
  params: { campaignId },
  query: state === undefined ? {} : { state },
});

const ExportPeople = (shown: Shown) => {
  const [bytes, setBytes] = useState<number>();
  const run = async (): Promise<void> => {
    setBytes(0);
    try {
      await downloadPeople(partsOf(shown), fileName, setBytes);
      toast.done(strings.exportDone(fileName));
    } catch (error) {
      toast.failure(error);
    } finally {
      setBytes(undefined);
    }
  };
  return (
    <>
      <Guarded operation="outboundCalls.exportRecipients">
        <Button
          busy={bytes !== undefined}
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => void run()}
        >
          {bytes === undefined || bytes === 0 ? strings.export : strings.exporting(bytesText(bytes))}
        </Button>
      </Guarded>
      <CopyAsCurl operation="outboundCalls.exportRecipients" parts={partsOf(shown)} />
    </>
  );
};

/** @param everyMs between two looks, while the campaign may still change */
export const CampaignPeople = ({
  campaignId,
  everyMs,
}: {
  readonly campaignId: string;
  readonly everyMs: number | undefined;
}) => {
  const { people: state } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = { campaignId, state };
  const { params, query } = partsOf(shown);
  const { rows, error, refresh, ...pages } = useList(
    'outboundCalls.listRecipients',
    { params, query: { ...query, limit: pageSize } },
    { keepsPlace: true, ...(everyMs === undefined ? {} : { everyMs }) },
  );
  return (
    <Card title={strings.people}>
      <div className="flex flex-col gap-3">
        <FilterBar>
          <SelectFilter
            label={strings.state}
            value={state ?? ''}
            allLabel={strings.allStates}
            choices={choices}
            onChange={(people) =>
              void navigate({ search: readPeopleSearch({ people }), replace: true, resetScroll: false })
            }
          />
          <ExportPeople {...shown} />
        </FilterBar>
        <DataTable
          caption={strings.peopleCaption}
          columns={columns}
          rows={rows}
          rowId={({ rowNumber }) => String(rowNumber)}
          error={error}
          retry={() => void refresh()}
          {...pages}
          empty={<EmptyState title={state === undefined ? strings.noPeople : strings.nobodyInState} />}
        />
      </div>
    </Card>
  );
};

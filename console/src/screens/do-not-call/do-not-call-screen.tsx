// Numbers that the organization never calls.
import { isApiError, type Suppression } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { History, Plus, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Guarded, useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { SearchFilter } from '../../components/filters.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { doNotCallStrings as strings } from '../../strings/do-not-call.js';
import { AddNumbers } from './add-numbers.js';
import { NumberHistory } from './number-history.js';

const route = getRouteApi('/app/do-not-call');
const pageSize = 50;

const columns: readonly Column<Suppression>[] = [
  {
    id: 'number',
    header: strings.number,
    sortBy: ({ phoneNumber }) => phoneNumber,
    cell: ({ phoneNumber }) => (
      <span className="font-medium tabular-nums">{phoneNumber || strings.erased}</span>
    ),
  },
  {
    id: 'reason',
    header: strings.reason,
    sortBy: ({ reason }) => reason?.toLowerCase() ?? null,
    cell: ({ reason }) =>
      reason === null ? <span className="text-ink-soft">{strings.noReason}</span> : <bdi>{reason}</bdi>,
  },
  {
    id: 'source',
    header: strings.source,
    sortBy: ({ source }) => source ?? 'request',
    cell: ({ source = 'request' }) => strings.sources[source],
  },
  {
    id: 'added',
    header: strings.added,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

const longestReason = 200;

const NumberMenu = ({
  number: { id, phoneNumber },
  showHistory,
}: {
  readonly number: Suppression;
  readonly showHistory: (phoneNumber: string) => void;
}) => {
  const remove = useCommand('suppressions.delete');
  const params = { suppressionId: id };
  const verdict = useCan('suppressions.delete');
  const ask = (): void =>
    confirmThat({
      title: strings.removeTitle(phoneNumber),
      text: strings.removeText,
      action: strings.remove,
      note: {
        label: strings.reason,
        hint: strings.removeReasonHint,
        maxLength: longestReason,
        wishWith: (reason) => remove.wish({ params, query: { reason } }),
      },
      wish: remove.wish({ params, query: {} }),
      done: () => toast.done(strings.removed(phoneNumber)),
    });
  return (
    <RowMenu
      name={phoneNumber}
      items={[
        // An erased person has no number to look for.
        ...(phoneNumber === ''
          ? []
          : [
              {
                label: strings.history.open,
                icon: <History aria-hidden className={menuIcon} />,
                onSelect: () => showHistory(phoneNumber),
              },
            ]),
        {
          label: strings.remove,
          icon: <Undo2 aria-hidden className="mt-0.5 size-4 shrink-0" />,
          danger: true,
          onSelect: ask,
          reason: reasonOf(verdict),
        },
      ]}
    />
  );
};

export const DoNotCallScreen = () => {
  const { number = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList(
    'suppressions.list',
    { query: { ...(number === '' ? {} : { phoneNumber: `+${number}` }), limit: pageSize } },
    { keepsPlace: true },
  );
  const [isAdding, setAdding] = useState(false);
  const [historyOf, setHistoryOf] = useState<string>();
  // A number that is being typed is no number until it is whole.
  const isNoNumber =
    number !== '' &&
    (isApiError(list.error, 'VALIDATION_ERROR') || isApiError(list.error, 'INVALID_PHONE_NUMBER'));
  const isEmpty = number === '' && list.rows?.length === 0;
  const add = (
    <Guarded operation="suppressions.create">
      <Button kind="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
        {strings.add}
      </Button>
    </Guarded>
  );
  return (
    <Page title={strings.title} intro={strings.intro} actions={add}>
      {!isEmpty && (
        <SearchFilter
          label={strings.search}
          value={number === '' ? '' : `+${number}`}
          onChange={(next) => {
            const digits = next.replaceAll(/[^\d]/g, '');
            void navigate({ search: digits === '' ? {} : { number: digits }, replace: true });
          }}
        />
      )}
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={isNoNumber ? [] : list.rows}
        rowId={({ id }) => id}
        rowActions={(suppressed) => <NumberMenu number={suppressed} showHistory={setHistoryOf} />}
        error={isNoNumber ? null : list.error}
        retry={() => void list.refresh()}
        endless
        hasMore={list.hasMore}
        isLoadingMore={list.isLoadingMore}
        loadMore={list.loadMore}
        follow={list.follow}
        empty={
          isEmpty ? (
            <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={add} />
          ) : (
            <EmptyState
              title={isNoNumber ? strings.notANumber : strings.nothingFound}
              action={
                isNoNumber ? undefined : (
                  <Button onClick={() => setHistoryOf(`+${number}`)}>{strings.history.open}</Button>
                )
              }
            />
          )
        }
      />
      {historyOf !== undefined && (
        <NumberHistory phoneNumber={historyOf} onClose={() => setHistoryOf(undefined)} />
      )}
      {isAdding && <AddNumbers onClose={() => setAdding(false)} />}
    </Page>
  );
};

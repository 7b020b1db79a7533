// The versions of the configuration: author, moment, difference, and the way back.
import type { Agent, ConfigurationVersion } from '@parlance/client';
import { GitCompare, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useAuthor } from '../../../app/author.js';
import { useCan } from '../../../app/permission.js';
import { reasonOf } from '../../../app/permission-rules.js';
import { Answered } from '../../../components/answered.js';
import { Button } from '../../../components/button.js';
import { EmptyState } from '../../../components/card.js';
import { confirmThat } from '../../../components/confirm.js';
import { type Column, DataTable } from '../../../components/data-table.js';
import { menuIcon, RowMenu } from '../../../components/menu.js';
import { StatusBadge } from '../../../components/status.js';
import { toast } from '../../../components/toasts.js';
import { Moment } from '../../../components/values.js';
import { useCommand } from '../../../data/commands.js';
import { useOperation } from '../../../data/queries.js';
import { configurationStrings } from '../../../strings/agent-configuration.js';
import { CompareDialog } from './compare-dialog.js';

const strings = configurationStrings.versions;
const pageSize = 20;

/** The person of a version by name, where the person is still a member. */
const useSavedBy = (): ((savedBy: string | null) => string) => {
  const authorOf = useAuthor(strings);
  return (savedBy) => (savedBy === null ? strings.unknown : authorOf(savedBy));
};

const changedIn = ({ version, changed, restoredFrom }: ConfigurationVersion): string => {
  if (restoredFrom !== null) return strings.restoredFrom(restoredFrom);
  if (version === 1) return strings.first;
  const names = changed.map((name) => configurationStrings.setting[name] ?? name);
  return names.length === 0 ? strings.nothingChanged : names.join(', ');
};

const columnsFor = (
  authorOf: (savedBy: string | null) => string,
): readonly Column<ConfigurationVersion>[] => [
  {
    id: 'version',
    labelled: true,
    header: strings.version,
    cell: ({ version, inForce }) => (
      <span className="inline-flex flex-wrap items-center gap-2 font-medium tabular-nums">
        {version}
        {inForce && <StatusBadge tone="good">{strings.inForce}</StatusBadge>}
      </span>
    ),
  },
  { id: 'saved', header: strings.saved, cell: ({ savedAt }) => <Moment at={savedAt} /> },
  {
    id: 'by',
    header: strings.by,
    cell: ({ savedBy }) => <span title={savedBy ?? ''}>{authorOf(savedBy)}</span>,
  },
  { id: 'changed', header: strings.changed, cell: changedIn },
];

const VersionsTable = ({
  agent,
  before,
  onOlder,
}: {
  readonly agent: Agent;
  readonly before: number | undefined;
  readonly onOlder: ((before: number) => void) | undefined;
}) => {
  const authorOf = useSavedBy();
  const params = { agentId: agent.id };
  const versions = useOperation('agents.listConfigVersions', {
    params,
    query: { limit: pageSize, ...(before === undefined ? {} : { before }) },
  });
  const restore = useCommand('agents.restoreConfigVersion');
  const mayRestore = useCan('agents.restoreConfigVersion');
  const [compared, setCompared] = useState<number>();
  const inForce = agent.configVersion ?? 0;
  const askToRestore = (version: number): void =>
    confirmThat({
      title: strings.restoreTitle(version),
      text: strings.restoreText(version, inForce + 1),
      action: strings.restore,
      danger: false,
      wish: restore.wish({
        params: { ...params, version },
        body: { expectedVersion: inForce },
      }),
      done: ({ data }) => toast.done(strings.restored(version, data.version)),
    });
  const menu = ({ version, inForce: isInForce }: ConfigurationVersion) => (
    <RowMenu
      name={strings.actions(version)}
      items={[
        {
          label: strings.compare,
          icon: <GitCompare aria-hidden className={menuIcon} />,
          onSelect: () => setCompared(version),
          reason: isInForce ? strings.isInForce : undefined,
        },
        {
          label: strings.restore,
          icon: <RotateCcw aria-hidden className={menuIcon} />,
          onSelect: () => askToRestore(version),
          reason: isInForce ? strings.isInForce : reasonOf(mayRestore),
        },
      ]}
    />
  );
  return (
    <>
      <Answered query={versions}>
        {(rows) => (
          <>
            <DataTable
              caption={strings.caption}
              columns={columnsFor(authorOf)}
              rows={rows}
              rowId={({ version }) => String(version)}
              rowActions={menu}
              empty={<EmptyState title={strings.empty} text={strings.emptyText} />}
            />
            {onOlder !== undefined && rows.length === pageSize && (
              <div className="text-center">
                <Button kind="quiet" onClick={() => onOlder(rows.at(-1)?.version ?? 0)}>
                  {strings.older}
                </Button>
              </div>
            )}
          </>
        )}
      </Answered>
      {compared !== undefined && (
        <CompareDialog
          agentId={agent.id}
          version={compared}
          inForce={inForce}
          onClose={() => setCompared(undefined)}
          onRestore={mayRestore.allowed ? () => askToRestore(compared) : undefined}
        />
      )}
    </>
  );
};

export const VersionsTab = ({ agent }: { readonly agent: Agent }) => {
  const [pages, setPages] = useState<readonly (number | undefined)[]>([undefined]);
  return pages.map((before, index) => (
    <VersionsTable
      key={before ?? 'newest'}
      agent={agent}
      before={before}
      onOlder={index === pages.length - 1 ? (next) => setPages([...pages, next]) : undefined}
    />
  ));
};

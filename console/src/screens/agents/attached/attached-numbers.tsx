import type { Agent, PhoneNumber } from '@parlance/client';
import { ButtonLink } from '../../../components/button.js';
import { EmptyState } from '../../../components/card.js';
import { type Column, DataTable } from '../../../components/data-table.js';
import { useCommand } from '../../../data/commands.js';
import { useList } from '../../../data/queries.js';
import { agentPageStrings as strings } from '../../../strings/agent.js';
import { AttachBar } from './attach-bar.js';
import { DetachMenu } from './detach-menu.js';

const columns: readonly Column<PhoneNumber>[] = [
  {
    id: 'number',
    header: strings.number,
    cell: ({ phoneNumber }) => <span className="font-medium tabular-nums">{phoneNumber}</span>,
  },
  { id: 'country', header: strings.country, cell: ({ isoCountry }) => isoCountry },
];

const changes = { invalidates: ['numbers.list', 'agents.list'] };

export const AttachedNumbers = ({ agent }: { readonly agent: Agent }) => {
  const { rows, error, refresh } = useList('numbers.list', {});
  const assign = useCommand('numbers.assign', changes);
  const others = (rows ?? []).filter(({ agentId, status }) => agentId !== agent.id && status === 'active');
  const put = (phId: string, agentId: string | null) => assign.wish({ params: { phId }, body: { agentId } });
  return (
    <>
      <AttachBar
        operation="numbers.assign"
        label={strings.number}
        choices={others.map(({ id, phoneNumber, agentName }) => ({
          value: id,
          name: phoneNumber,
          label: agentName === null ? phoneNumber : strings.leadsTo(phoneNumber, agentName),
        }))}
        attach={(phId) => put(phId, agent.id)}
      />
      <DataTable
        caption={strings.numbersCaption}
        columns={columns}
        rows={rows?.filter(({ agentId }) => agentId === agent.id)}
        rowId={({ id }) => id}
        rowActions={({ id, phoneNumber }) => (
          <DetachMenu
            operation="numbers.assign"
            agent={agent}
            name={phoneNumber}
            text={strings.numberDetachText(agent.name)}
            wish={put(id, null)}
          />
        )}
        error={error}
        retry={() => void refresh()}
        empty={
          <EmptyState
            title={strings.noNumbers}
            text={strings.noNumbersText}
            action={<ButtonLink to="/numbers">{strings.toNumbers}</ButtonLink>}
          />
        }
      />
    </>
  );
};

// The agents that may use a connection.

import { useId } from 'react';
import { useCan } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { Card } from '../../components/card.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { sending } from '../../components/sending.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { useOperation } from '../../data/queries.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import type { Connection } from './connection-facts.js';

export const AgentsCard = ({ connection }: { readonly connection: Connection }) => {
  const agents = useOperation('agents.list', {});
  const attach = useCommand('mcp.attach');
  const detach = useCommand('mcp.detach');
  const mayAttach = useCan('mcp.attach');
  const mayDetach = useCan('mcp.detach');
  const reasonId = useId();
  const isBusy = attach.isPending || detach.isPending;
  const change = (agentId: string, name: string, isAttached: boolean) =>
    sending(
      (isAttached ? detach : attach).wish({ params: { mcpConnectionId: connection.id, agentId } }),
      () => toast.done(isAttached ? strings.detached(name) : strings.attached(name)),
    );
  return (
    <Card title={strings.agentsTitle}>
      <Answered query={agents}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-ink-soft">{strings.noAgents}</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {all.map(({ id, name }) => {
                const isAttached = connection.agentIds.includes(id);
                const verdict = isAttached ? mayDetach : mayAttach;
                const { wish, onSelect } = change(id, name, isAttached);
                return (
                  <li key={id} className="flex items-center justify-between gap-2">
                    <label className="flex items-center gap-2">
                      <input
                        type="checkbox"
                        className="size-4 shrink-0 accent-accent"
                        aria-label={strings.attach(name)}
                        aria-describedby={verdict.allowed ? undefined : reasonId}
                        checked={isAttached}
                        disabled={!verdict.allowed || isBusy}
                        onChange={onSelect}
                      />
                      <bdi className="min-w-0">{name}</bdi>
                    </label>
                    <CopyAsCurl operation={wish.operation} parts={wish.parts as never} />
                  </li>
                );
              })}
            </ul>
          )
        }
      </Answered>
      {!mayAttach.allowed && (
        <p id={reasonId} className="mt-2 text-xs text-ink-soft">
          {mayAttach.reason}
        </p>
      )}
    </Card>
  );
};

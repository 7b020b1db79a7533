// The tools that the agent used in a call, as the platform recorded them.
import type { CallLog } from '@parlance/client';
import { Card } from '../../components/card.js';
import { JsonView } from '../../components/code.js';
import { StatusBadge } from '../../components/status.js';
import { Moment } from '../../components/values.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';

type Run = NonNullable<CallLog['toolRuns']>[number];

const ToolRun = ({ run }: { readonly run: Run }) => (
  <li className="flex flex-col gap-1 border-t border-line py-2 first:border-t-0 first:pt-0 last:pb-0">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 font-medium">{run.name}</span>
      <StatusBadge tone={run.status === 'ok' ? 'good' : 'bad'}>{strings.toolStates[run.status]}</StatusBadge>
      <span className="text-xs text-ink-soft tabular-nums">{run.durationMs} ms</span>
    </div>
    <span className="text-xs">
      <Moment at={run.at} />
    </span>
    {run.arguments === null ? (
      <p className="text-xs text-ink-soft">{strings.toolErased}</p>
    ) : (
      <details>
        <summary className="text-xs text-ink-soft">{strings.toolArguments}</summary>
        <JsonView name={`${run.name} ${run.at}`} value={run.arguments} />
      </details>
    )}
  </li>
);

export const ToolRuns = ({ call }: { readonly call: CallLog }) => {
  const { toolRuns = [], moreToolRuns = 0 } = call;
  if (toolRuns.length === 0) return null;
  return (
    <Card title={strings.tools}>
      <ul>
        {toolRuns.map((run, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs are only ever added at the end
          <ToolRun key={index} run={run} />
        ))}
      </ul>
      {moreToolRuns > 0 && <p className="text-ink-soft">{strings.moreTools(moreToolRuns)}</p>}
    </Card>
  );
};

// The outcomes of all calls, and of those of each agent.
import type { DashboardSummary } from '@parlance/client';
import { Card } from '../../components/card.js';
import { FigureHead } from '../../components/figure-head.js';
import { Progress } from '../../components/status.js';
import { componentStrings } from '../../strings/components.js';
import { moneyText, numberText, shareText } from '../../strings/format.js';
import { overviewStrings as strings } from '../../strings/overview.js';

/** `no_answer` as `No answer`. */
const wordsOf = (code: string): string => {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const OutcomeShares = ({ summary }: { readonly summary: DashboardSummary }) => (
  <Card title={strings.outcomes}>
    <ul className="flex flex-col gap-3">
      {summary.outcomes.map(({ outcome, count, share }) => (
        <li key={outcome}>
          <p className="flex justify-between gap-4">
            <span>{wordsOf(outcome)}</span>
            <span className="text-ink-soft tabular-nums">
              {numberText(count)} · {shareText(share)}
            </span>
          </p>
          <Progress name={wordsOf(outcome)} value={count} max={summary.kpis.totalCalls} />
        </li>
      ))}
    </ul>
  </Card>
);

export const AgentShares = ({ summary }: { readonly summary: DashboardSummary }) => (
  <Card title={strings.agents}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with keys */}
    <section aria-label={componentStrings.tableOf(strings.agents)} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left">
        <FigureHead columns={[strings.agent, strings.calls, strings.answerRate, strings.cost]} />
        <tbody>
          {summary.agents.map(({ agentId, name, calls, answerRate, costMicros }) => (
            <tr key={agentId} className="border-t border-line">
              <th scope="row" className="py-1.5 font-normal">
                {name}
              </th>
              <td className="py-1.5 pl-4 text-right tabular-nums">{numberText(calls)}</td>
              <td className="py-1.5 pl-4 text-right tabular-nums">
                {answerRate === null ? componentStrings.none : shareText(answerRate)}
              </td>
              <td className="py-1.5 pl-4 text-right tabular-nums">
                {moneyText(costMicros, summary.kpis.currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Card>
);

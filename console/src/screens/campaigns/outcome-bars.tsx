// The outcomes of a campaign: a chart whose bars stand in the table of their numbers.
import type { BatchCampaign } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { cx } from '../../components/cx.js';
import { FigureHead } from '../../components/figure-head.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { numberText, shareText } from '../../strings/format.js';
import { type OutcomeCount, outcomesOf } from './campaign-words.js';

const colorOf: Readonly<Record<OutcomeCount['id'], string>> = {
  completed: 'bg-ok',
  voicemail: 'bg-accent',
  noAnswer: 'bg-warn',
  busy: 'bg-warn',
  failed: 'bg-danger',
  cancelled: 'bg-line-strong',
  skipped: 'bg-line-strong',
  inProgress: 'bg-accent',
  queued: 'bg-line-strong',
  pending: 'bg-line-strong',
};

const percent = 100;

export const OutcomeBars = ({ progress }: { readonly progress: BatchCampaign['progress'] }) => (
  <>
    <table className="w-full">
      <caption className="sr-only">{strings.outcomesCaption}</caption>
      <FigureHead columns={[strings.outcome, strings.people, strings.share]}>
        <td className="w-1/2 max-sm:hidden" />
      </FigureHead>
      <tbody>
        {outcomesOf(progress).map(({ id, state, name, people, share }) => (
          <tr key={id} className="border-t border-line">
            <th scope="row" className="py-1.5 text-left font-normal">
              <Link to="." search={{ people: state }} replace resetScroll={false} className="link">
                {name}
              </Link>
            </th>
            <td className="py-1.5 pl-4 text-right tabular-nums">{numberText(people)}</td>
            <td className="py-1.5 pl-4 text-right tabular-nums">{shareText(share)}</td>
            <td aria-hidden className="py-1.5 pl-4 max-sm:hidden">
              <span
                className={cx('block h-3 min-w-0.5 rounded-sm', colorOf[id])}
                style={{ width: `${share * percent}%` }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {progress.skipped > 0 && <p className="mt-2 text-xs text-ink-soft">{strings.skippedHint}</p>}
  </>
);

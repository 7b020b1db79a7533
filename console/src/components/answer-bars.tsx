// The time to each answer as stacked bars, with a legend, and the same numbers as a table.
import { answerStrings as strings } from '../strings/answers.js';
import { componentStrings } from '../strings/components.js';
import { type AnswerTimes, answerTimesOf, type Step, steps, type Turn } from './answer-times.js';
import { cx } from './cx.js';

const colors: Readonly<Record<Step, string>> = {
  endOfTurnMs: 'bg-ink-soft',
  recognitionMs: 'bg-warn',
  firstTokenMs: 'bg-accent',
  firstSoundMs: 'bg-ok',
};

const Bar = ({ answer }: { readonly answer: AnswerTimes }) => {
  const whole = strings.ms(answer.wholeMs);
  const words = answer.steps.map(({ step, ms }) => `${strings.steps[step]} ${strings.ms(ms)}`).join(', ');
  return (
    <li className="grid grid-cols-[5rem_1fr_4.5rem] items-center gap-2 text-xs">
      <span>{strings.answer(answer.place)}</span>
      <span
        role="img"
        aria-label={strings.bar(strings.answer(answer.place), whole, words)}
        className="flex h-3 overflow-hidden rounded bg-sunken"
      >
        {answer.steps.map(({ step, share }) => (
          <span key={step} className={colors[step]} style={{ width: `${share * 100}%` }} />
        ))}
      </span>
      <span className="text-right tabular-nums">{whole}</span>
    </li>
  );
};

const Numbers = ({ answers }: { readonly answers: readonly AnswerTimes[] }) => (
  <details>
    <summary className="w-fit text-xs text-ink-soft">{componentStrings.showTable}</summary>
    <section
      aria-label={componentStrings.tableOf(strings.times)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with keys
      tabIndex={0}
      className="mt-2 overflow-x-auto"
    >
      <table className="w-full text-right text-xs tabular-nums">
        <caption className="sr-only">{strings.times}</caption>
        <thead className="text-ink-soft">
          <tr>
            <th scope="col" className="py-1 text-left font-medium">
              {strings.answerColumn}
            </th>
            {steps.map((step) => (
              <th key={step} scope="col" className="py-1 pl-4 font-medium">
                {strings.steps[step]}
              </th>
            ))}
            <th scope="col" className="py-1 pl-4 font-medium">
              {strings.whole}
            </th>
          </tr>
        </thead>
        <tbody>
          {answers.map((answer) => (
            <tr key={answer.seq} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {strings.answer(answer.place)}
              </th>
              {steps.map((step) => {
                const ms = answer.steps.find((one) => one.step === step)?.ms;
                return (
                  <td key={step} className="py-1 pl-4">
                    {ms === undefined ? componentStrings.none : strings.ms(ms)}
                  </td>
                );
              })}
              <td className="py-1 pl-4">{strings.ms(answer.wholeMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);

/** Nothing where no answer has times. */
export const AnswerBars = ({ turns }: { readonly turns: readonly Turn[] }) => {
  const answers = answerTimesOf(turns);
  if (answers.length === 0) return null;
  return (
    <figure aria-label={strings.times} className="flex flex-col gap-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">{strings.times}</span>
        <ul className="flex flex-wrap gap-x-4 text-xs text-ink-soft">
          {steps.map((step) => (
            <li key={step} className="flex items-center gap-1.5">
              <span aria-hidden className={cx('size-2 rounded-full', colors[step])} />
              {strings.steps[step]}
            </li>
          ))}
        </ul>
      </figcaption>
      <ol className="flex flex-col gap-1">
        {answers.map((answer) => (
          <Bar key={answer.seq} answer={answer} />
        ))}
      </ol>
      <Numbers answers={answers} />
    </figure>
  );
};

// A summary out of the call's own sentences.
import { nonAnswer } from '@parlance/spoken-values';
import { type AnalyzedTurn, type Subject, wordsOf } from '../subject.js';
import { isReadBack } from './questions.js';
import { contentWords } from './terms.js';

const maxLength = 500;
const labels: Readonly<Record<string, { readonly user: string; readonly agent: string }>> = {
  en: { user: 'Caller', agent: 'Agent' },
  de: { user: 'Anrufer', agent: 'Agent' },
};

const cut = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length - 1);
  return `${text.slice(0, space > length / 2 ? space : length - 1)}…`;
};

const courtesy =
  /^(?:thanks?|goodbye|bye|hello|yes|yeah|okay|perfect|great|sure|correct|right|good|fine|danke|vielen|dank|tschüss|hallo|guten|genau|richtig|gerne|super|auf|wiederhören)$/u;

const weight = (turn: AnalyzedTurn): number =>
  contentWords(wordsOf(turn)).filter((word) => !courtesy.test(word)).length;

/** What the person wanted, what the agent confirmed at the end, and the person's last word to it. Null without words. */
export const summarize = ({ turns, language }: Subject): string | null => {
  const said = turns.filter((turn) => wordsOf(turn).trim() !== '');
  const users = said.filter(({ role }) => role === 'user');
  if (users.length === 0) return null;
  const spoken = users.filter((turn) => nonAnswer(wordsOf(turn), language) === undefined);
  const wish = spoken
    .slice(0, 3)
    .reduce<AnalyzedTurn | undefined>(
      (best, turn) => (best === undefined || weight(turn) > weight(best) ? turn : best),
      undefined,
    );
  const confirmed = said.findLast(
    (turn) =>
      turn.role === 'agent' && turn.seq > (wish?.seq ?? -1) && isReadBack(wordsOf(turn)) && weight(turn) >= 3,
  );
  const last = spoken.findLast((turn) => turn.seq > (confirmed?.seq ?? wish?.seq ?? -1) && weight(turn) >= 1);
  const chosen = [wish ?? users[0], confirmed, last].filter((turn) => turn !== undefined);
  const names = labels[language.toLowerCase().split(/[-_]/)[0] ?? ''];
  const share = Math.floor(maxLength / chosen.length) - 12;
  const lines = chosen.map((turn) => {
    const quote = `“${cut(wordsOf(turn).trim().replaceAll(/\s+/g, ' '), share)}”`;
    const name = turn.role === 'agent' ? names?.agent : names?.user;
    return name === undefined ? quote : `${name}: ${quote}`;
  });
  return cut(lines.join(' '), maxLength);
};

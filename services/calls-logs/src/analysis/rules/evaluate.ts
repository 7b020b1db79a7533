// Goals of a call by rules. Only goals that one turn can prove are scored; everything else is unknown.
import { yesOrNo } from '@parlance/spoken-values';
import { type AnalyzedTurn, type Criterion, type Evaluation, type Subject, wordsOf } from '../subject.js';
import { isQuestion } from './questions.js';
import { contentWords, shared, stemOf, stemsOf } from './terms.js';

interface Verdict {
  readonly result: 'success' | 'failure';
  readonly turn: AnalyzedTurn;
  readonly why: string;
}

const greets =
  /\b(?:hello|hi|good (?:morning|afternoon|evening|day)|welcome|thanks? (?:you )?for calling)\b|hallo|guten (?:tag|morgen|abend)|grüß gott|willkommen/iu;
const farewells =
  /\b(?:good ?bye|bye|have a (?:nice|good|great|lovely)|take care|see you)\b|auf wiederhören|tschüss|schönen (?:tag|abend)|bis (?:dann|bald)/iu;
const pleased =
  /\b(?:thank(?:s| you) (?:so|very) much|that'?s (?:great|perfect|wonderful|brilliant|lovely)|perfect|excellent|(?:very|really) (?:helpful|happy|pleased)|great (?:help|service)|wonderful|brilliant)\b|perfekt|wunderbar|vielen dank|super|sehr (?:nett|zufrieden|freundlich)|toll/iu;
const upset =
  /\b(?:ridiculous|unacceptable|useless|terrible|awful|waste of (?:my )?time|(?:not|un) ?(?:happy|satisfied)|disappoint\w*|frustrat\w*|angry|fed up|complain\w*|speak to (?:a|your) (?:manager|supervisor|human))\b|unverschämt|unmöglich|ärgerlich|enttäuscht|frechheit|unzufrieden|beschwer\p{L}*|schlecht/iu;

interface Rule {
  /** Of the name and prompt of a criterion. */
  readonly about: RegExp;
  readonly judge: (criterion: Criterion, subject: Subject) => Verdict | undefined;
}

const turnsOf = ({ turns }: Subject, role: 'agent' | 'user'): readonly AnalyzedTurn[] =>
  turns.filter((turn) => turn.role === role && wordsOf(turn).trim() !== '');

const lastOf = (turns: readonly AnalyzedTurn[], pattern: RegExp): AnalyzedTurn | undefined =>
  turns.findLast((turn) => pattern.test(wordsOf(turn)));

const greeting: Rule['judge'] = (_criterion, subject) => {
  const [first] = turnsOf(subject, 'agent');
  if (first === undefined) return undefined;
  return greets.test(wordsOf(first))
    ? { result: 'success', turn: first, why: 'The agent greeted the caller' }
    : { result: 'failure', turn: first, why: 'The agent began without a greeting' };
};

const farewell: Rule['judge'] = (_criterion, subject) => {
  const turns = turnsOf(subject, 'agent');
  const turn = lastOf(turns.slice(-3), farewells);
  return turn && { result: 'success', turn, why: 'The agent said goodbye' };
};

const satisfaction: Rule['judge'] = (_criterion, subject) => {
  const said = turnsOf(subject, 'user');
  const [bad, good] = [lastOf(said, upset), lastOf(said, pleased)];
  if (bad !== undefined && (good === undefined || bad.seq >= good.seq))
    return { result: 'failure', turn: bad, why: 'The caller complained' };
  return good && { result: 'success', turn: good, why: 'The caller was pleased' };
};

/** The question of the agent that has most of the criterion's words, and the answer to it. */
const agreement: Rule['judge'] = ({ name, prompt }, subject) => {
  const wanted = new Set([...stemsOf(`${name} ${prompt}`)].filter((stem) => !agreementStems.has(stem)));
  let best: { readonly verdict: Verdict; readonly score: number } | undefined;
  for (const [index, turn] of subject.turns.entries()) {
    const text = wordsOf(turn);
    if (turn.role !== 'agent' || !isQuestion(text)) continue;
    const score = shared(wanted, stemsOf(text));
    const answer = subject.turns.slice(index + 1).find(({ role }) => role !== 'system' && role !== 'tool');
    if (score === 0 || answer?.role !== 'user') continue;
    const said = yesOrNo(wordsOf(answer), subject.language);
    if (said === undefined || (best !== undefined && score < best.score)) continue;
    const result = said === 'yes' ? 'success' : 'failure';
    const why = said === 'yes' ? 'The caller agreed' : 'The caller declined';
    best = { score, verdict: { result, turn: answer, why } };
  }
  return best?.verdict;
};
const agreementStems = stemsOf(
  'agree agreed accept accepted consent consented confirm confirmed confirmation approve approved say yes willing allow allowed zustimmen zugestimmt einverstanden bestätigt einwilligung akzeptiert',
);

const mentionStems = stemsOf(
  'mention mentioned offer offered explain explained state stated tell told inform informed point out say said remind reminded ask asked name named describe announce erwähnt angeboten erklärt gesagt gefragt genannt hingewiesen informiert erinnert success',
);

const mention: Rule['judge'] = ({ prompt }, subject) => {
  const wanted = [...new Set(contentWords(prompt).map(stemOf))].filter((stem) => !mentionStems.has(stem));
  if (wanted.length === 0) return undefined;
  const byUser =
    /\b(?:did|has|does) the (?:caller|customer|user|patient|guest)\b|\bhat (?:der|die) (?:anrufer|kund|patient)/iu.test(
      prompt,
    );
  const turn = turnsOf(subject, byUser ? 'user' : 'agent').find((one) => {
    const stems = stemsOf(wordsOf(one));
    return wanted.every((stem) => stems.has(stem));
  });
  return turn && { result: 'success', turn, why: byUser ? 'The caller said so' : 'The agent said so' };
};

const negated = /\b(?:refrain|avoid|without|never|no |not)\b|kein|nicht|ohne|vermeid/iu;

/** In order; the first rule that fits the criterion judges. */
const rules: readonly Rule[] = [
  { about: /\bgreet|\bwelcom|begrüß/iu, judge: greeting },
  { about: /\bgood ?bye|\bfarewell|\bclos(?:e|ed|ing) (?:the call )?polite|verabschied/iu, judge: farewell },
  { about: /satisf|happy|pleased|zufrieden/iu, judge: satisfaction },
  {
    about:
      /\b(?:agree|accept|consent|confirm|approv|willing|allow)|zugestimmt|zustimm|einverstanden|bestätigt|einwillig|akzeptiert/iu,
    judge: agreement,
  },
  {
    about:
      /\b(?:mention|offer|explain|state|told|tell|inform|point(?:ed)? out|remind|ask|say|said|announce)|erwähn|angebot|erklär|gesagt|gefragt|hingewiesen|informiert|erinnert/iu,
    judge: mention,
  },
];

const unknown = ({ id, name }: Criterion, rationale: string): Evaluation => ({
  id,
  name,
  result: 'unknown',
  score: null,
  rationale,
});

const maxQuote = 300;

const evaluateOne = (criterion: Criterion, subject: Subject): Evaluation => {
  const { id, name, prompt, scoring, maxScore } = criterion;
  // What must not have happened is proved by no single turn.
  if (negated.test(prompt) || /^\s*(?:if|wenn|falls)\b/iu.test(prompt))
    return unknown(criterion, 'Rules do not judge this goal.');
  const rule = rules.find(({ about }) => about.test(`${name} ${prompt}`));
  if (rule === undefined) return unknown(criterion, 'Rules do not judge this goal.');
  const verdict = rule.judge(criterion, subject);
  if (verdict === undefined) return unknown(criterion, 'No turn proves or disproves it.');
  const { result, turn, why } = verdict;
  const full = scoring === 'numeric' ? (maxScore ?? 1) : 1;
  return {
    id,
    name,
    result,
    score: result === 'success' ? full : 0,
    rationale: `${why} in turn ${turn.seq}.`,
    turns: [turn.seq],
    quote: wordsOf(turn).trim().slice(0, maxQuote),
  };
};

export const evaluate = (subject: Subject): readonly Evaluation[] =>
  subject.dataEvaluation.map((criterion) => evaluateOne(criterion, subject));

import { primary } from './field.js';

/** `refused`: the person does not want to say. `unsure`: the person does not know. `unclear`: the question was not understood. */
export type NonAnswer = 'refused' | 'unsure' | 'unclear';

const languages: Readonly<Record<string, readonly (readonly [NonAnswer, RegExp])[]>> = {
  en: [
    [
      'refused',
      /\b(?:(?:i'?d|i would|we'?d) (?:rather|prefer)(?: to)? not|rather not (?:say|give|share|tell)|prefer not to|none of your business|(?:do not|don'?t|won'?t|will not|wouldn'?t|not going to|not willing to) (?:want to |like to |wish to )?(?:say|tell|give|share|answer|disclose|provide|hand out|discuss)|not comfortable|that'?s private|that'?s personal|keep that to myself|no comment)\b/iu,
    ],
    [
      'unsure',
      /\b(?:(?:do not|don'?t|dont|wouldn'?t) (?:really |actually |quite )?(?:know|remember|recall|have (?:it|that|one|any)\b)|no idea|no clue|not (?:really |quite |so |too |entirely )?(?:sure|certain)|can(?:no|')?t (?:remember|recall|say|tell|find)|forgot(?:ten)?|(?:have|need) to (?:check|look)|let me (?:check|think|look)|hard to say|it depends|haven'?t decided|(?:get|call) back to you)\b/iu,
    ],
    [
      'unclear',
      /^\W*(?:(?:sorry|pardon|what|huh|hm+|excuse me|come again|hello|what was that|what did you say|(?:can|could) you (?:please )?(?:repeat|say)[^?]*|say (?:that )?again[^?]*|i (?:did not|didn'?t|can'?t|cannot) (?:catch|hear|understand)[^?]*|you'?re breaking up[^?]*)\W*)+$/iu,
    ],
  ],
  de: [
    [
      'refused',
      /(?<!\p{L})(?:(?:möchte|will|würde|werde) ich (?:\p{L}+ ){0,3}(?:nicht|ungern)(?: \p{L}+)? ?(?:sagen|angeben|nennen|verraten|preisgeben|geben)?|(?:sage|gebe|nenne|verrate) ich (?:\p{L}+ ){0,2}nicht|geht sie nichts an|ist privat|keine angabe|lieber nicht)(?!\p{L})/iu,
    ],
    [
      'unsure',
      /(?<!\p{L})(?:(?:weiß|weiss) (?:ich |es |das )*(?:leider |gerade |noch |jetzt |grad |so )*nicht|keine ahnung|nicht (?:ganz |so )?sicher|(?:habe|hab) ich (?:\p{L}+ ){0,3}nicht (?:da|dabei|parat|zur hand|im kopf)|fällt mir (?:\p{L}+ )?nicht ein|vergessen|muss ich (?:\p{L}+ ){0,2}nachsehen|muss (?:\p{L}+ ){0,3}nachschauen|schwer zu sagen|kommt (?:darauf|drauf) an)(?!\p{L})/iu,
    ],
    [
      'unclear',
      /^\W*(?:(?:wie bitte|bitte|was|hm+|hä|hallo|entschuldigung|nochmal|noch einmal|können sie das (?:bitte )?(?:nochmal|noch einmal|wiederholen)[^?]*|(?:das )?(?:habe ich )?(?:akustisch )?nicht verstanden[^?]*)\W*)+$/iu,
    ],
  ],
};

/** Why the text holds no answer; undefined where it may hold one. */
export const nonAnswer = (text: string, language: string): NonAnswer | undefined =>
  (languages[primary(language)] ?? languages.en ?? []).find(([, pattern]) => pattern.test(text))?.[0];

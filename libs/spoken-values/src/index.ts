export { type DigitGroup, type DigitRun, digitRuns } from './digit-runs.js';
export { kindOf, type SpeechContext, type SpokenField, type ValueKind } from './field.js';
export { mailsIn } from './mail.js';
export { spelledIn } from './names.js';
export { type NonAnswer, nonAnswer } from './non-answers.js';
export { asksNotToBeCalled } from './opt-out.js';
export { readValue, type SpokenValue } from './read-value.js';
export { telephoneCountry } from './telephone.js';
export { type Answer, yesOrNo } from './yes-no.js';

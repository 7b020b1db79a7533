export { kindOf, type SpeechContext, type SpokenField, type ValueKind } from './field.js';
export { type NonAnswer, nonAnswer } from './non-answers.js';
export { readValue, type SpokenValue } from './read-value.js';
export { type Answer, yesOrNo } from './yes-no.js';

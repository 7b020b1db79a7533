export { isSameNumber, isWholeNumber } from './decimal.js';
export {
  hasLosslessNumber,
  LosslessNumber,
  numbersForTokens,
  stringifyJson,
  withDoubles,
  withoutTokens,
  withTokens,
} from './lossless-number.js';
export { parseJson, tokensForNumbers } from './parse.js';
export { jsonOfStored, parseStored, stringifyStored } from './stored.js';

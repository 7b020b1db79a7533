export { decodeLoosely, decodeText, hasMark, type TextSource, UnknownCharset } from './decode.js';

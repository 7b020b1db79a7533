export {
  AppError,
  type AppErrorOptions,
  type Issue,
  unreachable,
  validationError,
  type WireError,
} from './app-error.js';
export { type ErrorCode, errorCodes, isErrorCode } from './codes.js';

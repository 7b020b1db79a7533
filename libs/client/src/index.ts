export { ApiError, type DetailsOf, type ErrorCode, isApiError } from './api-error.js';
export { createClient, request } from './client.js';
export type * from './generated/methods.js';
export type * from './generated/schemas.js';
export { apiVersion } from './generated/version.js';
export type { ListMethod, Method, NoRequest, StreamedEvent, StreamMethod } from './method.js';
export type { OperationId } from './operation.js';
export type { ApiAnswer, CallOptions, ClientOptions, Parts } from './options.js';
export { everyRecord } from './pages.js';

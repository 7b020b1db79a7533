export { createClient, request } from './client.js';
export type * from './generated/methods.js';
export type * from './generated/schemas.js';
export { apiVersion } from './generated/version.js';
export type {
  ListMethod,
  Method,
  NoRequest,
  StreamedEvent,
  StreamMethod,
  TextMethod,
} from './method/method.js';
export type { ApiAnswer, CallOptions, ClientOptions, Parts } from './method/options.js';
export { everyRecord } from './pages.js';
export { ApiError, type DetailsOf, type ErrorCode, isApiError } from './transport/api-error.js';
export type { OperationId } from './transport/operation.js';
export { type ReceivedWebhook, verifyWebhook, WebhookError, type WebhookProblem } from './webhooks.js';

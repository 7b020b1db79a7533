export { ApiError } from './api-error.js';
export { type Client, createClient, type Method, type RequestFor } from './client.js';
export { everyRecord } from './pages.js';
export type { ApiAnswer, CallOptions, ClientOptions } from './request.js';

export { ApiError } from './api-error.js';
export { type Client, createClient, type Method, type RequestFor } from './client.js';
export { everyRecord } from './pages.js';
export { type ApiAnswer, type CallOptions, type ClientOptions, type Parts, send } from './request.js';

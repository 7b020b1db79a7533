export { bodyReader, defaultBodyLimit, readJson } from './body.js';
export { inputParser, type RawParts } from './input.js';
export { type RequestContextOptions, requestContext } from './request-context.js';
export { drainDelayOf, type HttpServer, listen } from './server.js';

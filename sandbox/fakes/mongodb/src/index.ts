export { createMongoFaults, type MongoFaults } from './faults.js';
export { type MongoOptions, type MongoServer, startMongo } from './server.js';

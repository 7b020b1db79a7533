// The read models of this service. Their names are those of their checkpoints: under a new one, a read model is made from
// the first event.
import type { MongoReadModel, PostgresReadModel } from '@parlance/event-sourcing';
import { type CallEvent, callEvents } from './call/call-events.js';
import { callCategory } from './call/call-repository.js';
import { documentCollections, prepareDocuments, projectIntoDocuments } from './read-models/call-documents.js';
import { projectIntoIndex } from './read-models/call-index-projection.js';
import { indexTables } from './read-models/call-index-tables.js';
import { projectIntoSearch, searchTables } from './read-models/call-search.js';

const followed = { category: callCategory, codec: callEvents };

export const callIndex: PostgresReadModel<CallEvent> = {
  ...followed,
  id: 'call-index',
  personal: false,
  tables: indexTables,
  handleBatch: projectIntoIndex,
};

/**
 * The search keys of the log: numbers and names, so this projection reads the personal parts that the index does
 * without.
 */
export const callSearch: PostgresReadModel<CallEvent> = {
  ...followed,
  id: 'sealed-call-search',
  about: ['CallDescribed', 'CallDeleted'],
  tables: searchTables,
  handleBatch: projectIntoSearch,
};

export const callDocuments: MongoReadModel<CallEvent> = {
  ...followed,
  id: 'sealed-call-documents',
  personal: 'folded',
  collections: documentCollections,
  prepare: prepareDocuments,
  handleBatch: projectIntoDocuments,
};

/** Not a read model: starting over would announce every event again. */
export const announcementsId = 'call-announcements';

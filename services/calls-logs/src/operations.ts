// The commands of operators on the streams and read models of this service.
import { eventSourcedService } from '@parlance/ops';
import { applyErasures } from './erasure/apply-erasures.js';
import { callDocuments, callIndex, callSearch } from './projections.js';

export const operations = eventSourcedService({
  service: 'calls-logs',
  readModels: [callIndex, callSearch, callDocuments],
  applyErasures,
});

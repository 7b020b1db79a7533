// Everything in this service that follows the streams of calls, each with the name of its checkpoint.
import { analysisId } from './analysis/schedule-analyses.js';
import { callCategory } from './call/call-repository.js';
import { erasuresId } from './erasure/schedule-erasures.js';
import { liveTurnsId } from './live/forget-live-turns.js';
import { announcementsId, callDocuments, callIndex, callSearch } from './projections.js';
import { retentionId } from './recordings/retention.js';
import { webhooksId } from './webhooks/recorder.js';

export const followers = [
  callIndex.id,
  callSearch.id,
  callDocuments.id,
  announcementsId,
  webhooksId,
  liveTurnsId,
  retentionId,
  analysisId,
  erasuresId,
].map((id) => ({ id, category: callCategory }));

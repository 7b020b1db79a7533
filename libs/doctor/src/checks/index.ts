// The checks that need nothing but variables. Services bring along those that need their tables.

import { clocks } from '../clocks/clocks.js';
import type { Check } from '../probe/check.js';
import { certificates } from './certificates.js';
import { eventStore } from './event-store.js';
import { keys } from './keys.js';
import { livekit } from './livekit.js';
import { machine } from './machine.js';
import { mail } from './mail.js';
import { media } from './media.js';
import { mongodb } from './mongodb.js';
import { nats } from './nats.js';
import { objectStorage } from './object-storage.js';
import { postgres } from './postgres.js';
import { providers } from './providers.js';
import { publicUrls } from './public-urls.js';
import { voice } from './voice.js';

export const checks: readonly Check[] = [
  postgres,
  nats,
  eventStore,
  mongodb,
  objectStorage,
  livekit,
  media,
  ...voice,
  ...providers,
  mail,
  publicUrls,
  certificates,
  keys,
  clocks,
  machine,
];

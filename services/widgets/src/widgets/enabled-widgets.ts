// Enabled widgets as visitors ask for them. Many visitors of one page ask at once, and one query answers all of them.
import { runWithoutDeadline } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { LRUCache } from 'lru-cache';
import type { WidgetRow } from './widget-record.js';
import { enabledWidget } from './widgets-repository.js';

/** A change of a widget is seen after this time at the latest. */
const rememberedMs = 250;
const remembered = 10_000;

export class EnabledWidgets {
  readonly #found: LRUCache<string, WidgetRow>;

  constructor(db: Database) {
    this.#found = new LRUCache({
      max: remembered,
      ttl: rememberedMs,
      fetchMethod: (id) => runWithoutDeadline(() => enabledWidget(db, id)),
    });
  }

  /** @throws AppError WIDGET_NOT_FOUND for a widget that is unknown or disabled */
  get(id: string): Promise<WidgetRow> {
    return this.#found.forceFetch(id);
  }
}

// A visitor, as the gateway tells of one: the origin of the page, and a keyed digest of the address.
import { admitsOrigin, type Caller } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { WidgetRow } from '../widgets/widget-record.js';

export type Visitor = Extract<Caller['actor'], { readonly type: 'visitor' }>;

/** @throws AppError ORIGIN_NOT_ALLOWED for a caller that is no visitor */
export const visitorOf = ({ actor }: Caller): Visitor => {
  if (actor.type !== 'visitor') throw new AppError('ORIGIN_NOT_ALLOWED');
  return actor;
};

/** @throws AppError ORIGIN_NOT_ALLOWED for a page that may not show the widget */
export const refuseOtherOrigins = ({ document }: WidgetRow, { origin }: Visitor): void => {
  if (!admitsOrigin(document.allowedOrigins, origin)) throw new AppError('ORIGIN_NOT_ALLOWED');
};

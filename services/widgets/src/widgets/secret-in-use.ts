import type { ReadSecretsInUse } from '@parlance/service-host';
import { lockWidget } from './widgets-repository.js';

/** The secret that verifies the visitor tokens of a widget. @throws AppError WIDGET_NOT_FOUND */
export const secretInUse: ReadSecretsInUse = async (tx, organizationId, widgetId) => {
  // A release before locks the widget for the whole of a save, instead of noting it.
  const { name, document } = await lockWidget(tx, organizationId, widgetId);
  const { visitorTokenSecretId: id } = document;
  return { ids: id === null ? [] : [id], names: [], uses: [], name };
};

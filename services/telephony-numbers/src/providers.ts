// The accounts of this installation at telephone providers.
import type { Provider } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { NumberProvider } from '@parlance/telephony';

export type Providers = ReadonlyMap<Provider, NumberProvider>;

/** @throws AppError PROVIDER_UNAVAILABLE where this installation has no account there */
export const accountAt = (
  { providers }: { readonly providers: Providers },
  provider: Provider,
): NumberProvider => {
  const account = providers.get(provider);
  if (account === undefined) throw new AppError('PROVIDER_UNAVAILABLE');
  return account;
};

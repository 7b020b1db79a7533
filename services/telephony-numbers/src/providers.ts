// The accounts of this installation at telephone providers.
import type { Provider } from '@parlance/contracts';
import type { NumberProvider } from '@parlance/telephony';

export type Providers = ReadonlyMap<Provider, NumberProvider>;

// The organization's settings: read and changed.
import { isDeepStrictEqual } from 'node:util';
import { Controller } from '@nestjs/common';
import {
  type contract,
  events,
  type Settings,
  type serviceRequests,
  type VersionedSettings,
} from '@parlance/contracts';
import { announce, refuseClosed } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { isBounded, operatorLimits, refuseBeyond } from './operator-limits.js';
import { changed, toSettings } from './settings.js';
import { getSettings, lockSettings, saveSettings } from './settings-repository.js';

type Contract = typeof contract;

@Controller()
@Serves()
export class SettingsController {
  constructor(private readonly parts: Parts) {}

  async 'settings.get'({ caller }: RpcRequest<Contract['settingsGet']>): Promise<Settings> {
    return toSettings((await getSettings(this.parts.db, caller.organizationId)).settings);
  }

  async 'settings.of'({
    caller,
  }: RpcRequest<(typeof serviceRequests)['settingsOf']>): Promise<VersionedSettings> {
    const { version, settings } = await getSettings(this.parts.db, caller.organizationId);
    return { ...settings, version };
  }

  async 'settings.update'({
    body,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['settingsUpdate']>): Promise<Settings> {
    const { organizationId } = caller;
    const { settings: known } = await getSettings(this.parts.db, organizationId);
    const limits = isBounded(known, changed(known, body))
      ? await operatorLimits(this.parts, composed, { organizationId, requestId })
      : undefined;
    return this.parts.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      const before = await lockSettings(tx, organizationId);
      const settings = changed(before.settings, body);
      refuseBeyond(limits, before.settings, settings);
      if (isDeepStrictEqual(settings, before.settings)) return toSettings(settings);
      const version = before.version + 1;
      await saveSettings(tx, organizationId, { version, settings }, this.parts.clock.now());
      await announce(tx, this.parts, events.settingsChanged, organizationId, { ...settings, version });
      return toSettings(settings);
    });
  }
}

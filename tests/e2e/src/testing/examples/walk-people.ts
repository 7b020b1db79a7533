// Accounts, sessions, second factors, organizations, members, invitations and API keys.
import { totpOfUri } from '@parlance/fixtures';
import type { Ground, Office } from './ground.js';
import type { Caller, Data, Recorder } from './recorder.js';

const password = 'a long password';
const nextPassword = 'another long password';
const ada = 'ada@example.com';
const grace = 'grace@example.com';

class People {
  readonly #recorder: Recorder;
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#recorder = ground.recorder;
  }

  async walk(): Promise<Office> {
    await this.#signUp('Ada Lovelace', ada);
    const person = await this.#signIn(ada);
    const session = await this.#do('getSession', person);
    const organizationId = String(Object(session.session).activeOrganizationId);
    await this.#organization(person, organizationId);
    const key = await this.#keys(person);
    await this.#signUp('Grace Hopper', grace);
    await this.#mails();
    await this.#invitations(person, await this.#signIn(grace, nextPassword), organizationId);
    await this.#secondFactor(await this.#signIn(grace, nextPassword));
    await this.#sessions();
    return { person, key, organizationId };
  }

  #do(verb: string, caller: Caller, body?: unknown, query?: Readonly<Record<string, string>>): Promise<Data> {
    return this.#recorder.ask(`auth.${verb}`, caller, {
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { query }),
    });
  }

  get #stranger(): Caller {
    return { origin: this.#ground.url };
  }

  async #entered(verb: string, body: unknown, caller = this.#stranger): Promise<Caller> {
    const { cookie } = await this.#recorder.asked(`auth.${verb}`, caller, { body });
    return { ...this.#stranger, cookie };
  }

  #signUp(name: string, email: string): Promise<Caller> {
    return this.#entered('signUpEmail', { name, email, password });
  }

  #signIn(email: string, given = password): Promise<Caller> {
    return this.#entered('signInEmail', { email, password: given });
  }

  async #organization(person: Caller, organizationId: string): Promise<void> {
    await this.#do('updateUser', person, { name: 'Ada King' });
    await this.#do('organizationUpdate', person, { organizationId, data: { name: 'Lovelace Dental' } });
    await this.#do('organizationList', person);
    const slug = 'second-practice';
    const second = await this.#do('organizationCreate', person, { name: 'Second practice', slug });
    await this.#do('organizationSetActive', person, { organizationId: second.id });
    const { removalId } = await this.#do('organizationDelete', person, { organizationId: second.id });
    await this.#do('organizationRemoval', person, undefined, { id: String(removalId) });
    await this.#do('organizationSetActive', person, { organizationId });
    await this.#do('organizationGetFull', person);
    await this.#do('organizationListMembers', person);
  }

  async #keys(person: Caller): Promise<Caller> {
    const body = { name: 'Reception', permissions: ['agent:read', 'callLogs:read'] };
    const made = await this.#do('apiKeyCreate', person, body);
    await this.#do('apiKeyUpdate', person, { keyId: made.id, name: 'Front desk' });
    await this.#do('apiKeyList', person);
    await this.#do('apiKeyRotate', person, { keyId: made.id });
    await this.#do('apiKeyDelete', person, { keyId: made.id });
    const { key } = await this.#do('apiKeyCreate', person, { name: 'All', permissions: ['*'] });
    return { 'x-api-key': String(key) };
  }

  /** Grace verifies her address and chooses another password. */
  async #mails(): Promise<void> {
    const { mailedToken } = this.#ground;
    await this.#do('sendVerificationEmail', this.#stranger, { email: grace });
    const token = await mailedToken(grace, /verify-email\?token=/);
    await this.#do('verifyEmail', this.#stranger, undefined, { token });
    await this.#do('requestPasswordReset', this.#stranger, { email: grace });
    const resetToken = await mailedToken(grace, /reset-password#/);
    await this.#do('resetPassword', this.#stranger, { token: resetToken, newPassword: nextPassword });
  }

  async #invitations(owner: Caller, guest: Caller, organizationId: string): Promise<void> {
    const invite = async (email: string): Promise<string> =>
      String((await this.#do('organizationInviteMember', owner, { email, role: 'viewer' })).id);
    const first = await invite(grace);
    await this.#do('organizationListInvitations', owner);
    await this.#do('organizationGetInvitation', guest, undefined, { id: first });
    await this.#do('organizationListUserInvitations', guest);
    await this.#do('organizationRejectInvitation', guest, { invitationId: first });
    await this.#do('organizationAcceptInvitation', guest, { invitationId: await invite(grace) });
    const { members } = await this.#do('organizationListMembers', owner);
    const member = Object(members).find(({ user }: { user?: { email: string } }) => user?.email === grace);
    await this.#do('organizationUpdateMemberRole', owner, { memberId: member.id, role: 'admin' });
    await this.#do('organizationLeave', guest, { organizationId });
    await this.#do('organizationAcceptInvitation', guest, { invitationId: await invite(grace) });
    await this.#do('organizationRemoveMember', owner, { memberIdOrEmail: grace });
    await this.#do('organizationCancelInvitation', owner, { invitationId: await invite('alan@example.com') });
  }

  async #secondFactor(person: Caller): Promise<void> {
    const given = { password: nextPassword };
    const { totpURI } = await this.#do('twoFactorEnable', person, given);
    const code = totpOfUri(String(totpURI));
    const proven = await this.#entered('twoFactorVerifyTotp', { code }, person);
    const { backupCodes } = await this.#do('twoFactorGenerateBackupCodes', proven, given);
    const [backupCode] = Object(backupCodes);
    await this.#do('organizationRequireSecondFactor', proven, { required: true });
    await this.#do('organizationRequireSecondFactor', proven, { required: false });
    const half = await this.#signIn(grace, nextPassword);
    const whole = await this.#entered('twoFactorVerifyBackupCode', { code: backupCode }, half);
    await this.#do('twoFactorDisable', whole, given);
  }

  async #sessions(): Promise<void> {
    const change = { currentPassword: nextPassword, newPassword: password, revokeOtherSessions: true };
    const person = await this.#entered('changePassword', change, await this.#signIn(grace, nextPassword));
    await this.#signIn(grace);
    const sessions = Object.values(await this.#do('listSessions', person));
    await this.#do('revokeSession', person, { token: Object(sessions[0]).token });
    const again = await this.#signIn(grace);
    await this.#do('revokeOtherSessions', again);
    await this.#do('revokeSessions', again);
    await this.#do('signOut', await this.#signIn(grace));
    await this.#do('deleteUser', await this.#signIn(grace), { password });
  }
}

/** @returns the owner of an organization, and a key that may do everything there */
export const walkPeople = (ground: Ground): Promise<Office> => new People(ground).walk();

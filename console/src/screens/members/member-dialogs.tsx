// Inviting somebody, and giving a member another role.
import { useCaller } from '../../app/session.js';
import { Dialog } from '../../components/dialog.js';
import { toast } from '../../components/toasts.js';
import { SelectField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { memberStrings as strings } from '../../strings/members.js';
import { rolesToGive } from './member-rules.js';

const useRoleChoices = () =>
  rolesToGive(useCaller()?.role).map((role) => ({
    value: role as string,
    label: `${strings.roles[role]}: ${strings.roleTexts[role]}`,
  }));

const rolesOnly = ['auth.organizationListMembers', 'auth.organizationListInvitations'];

export const InviteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const choices = useRoleChoices();
  const form = useContractForm('auth.organizationInviteMember', {
    values: { email: '', role: 'member' },
    draft: 'auth.organizationInviteMember',
    invalidates: rolesOnly,
    onDone: (_answer, { email }) => {
      toast.done(strings.invited(email));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.inviteTitle} text={strings.inviteText}>
      <Form of={form} guards={false} submitLabel={strings.inviteAction}>
        <TextField name="email" label={strings.email} type="email" />
        <SelectField name="role" label={strings.role} choices={choices} />
      </Form>
    </Dialog>
  );
};

export interface NamedMember {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

export const RoleDialog = ({
  member,
  onClose,
}: {
  readonly member: NamedMember;
  readonly onClose: () => void;
}) => {
  const choices = useRoleChoices();
  const form = useContractForm('auth.organizationUpdateMemberRole', {
    values: { memberId: member.id, role: member.role },
    invalidates: rolesOnly,
    onDone: (_answer, { role }) => {
      toast.done(strings.roleChanged(member.name, role));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.changeRoleTitle(member.name)} text={strings.changeRoleText}>
      <Form of={form} guards={false} submitLabel={strings.changeRoleAction} onlyChanges>
        <SelectField name="role" label={strings.role} choices={choices} />
      </Form>
    </Dialog>
  );
};

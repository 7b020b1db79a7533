// The people of the organization.
import { getRouteApi } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { Guarded, useCan } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { Page } from '../../components/page.js';
import { memberStrings as strings } from '../../strings/members.js';
import { Invitations } from './invitations-card.js';
import { InviteDialog } from './member-dialogs.js';
import { MembersTable } from './members-table.js';
import { RolesCard } from './roles-card.js';
import { SecondFactorCard } from './second-factor-card.js';

const route = getRouteApi('/app/members');

export const MembersScreen = () => {
  const { invite = false } = route.useSearch();
  const navigate = route.useNavigate();
  const mayInvite = useCan('auth.organizationInviteMember');
  return (
    <Page
      title={strings.title}
      intro={strings.intro}
      actions={
        <Guarded operation="auth.organizationInviteMember">
          <Button
            kind="primary"
            icon={<UserPlus aria-hidden className="size-4" />}
            onClick={() => void navigate({ search: { invite: true } })}
          >
            {strings.invite}
          </Button>
        </Guarded>
      }
    >
      <MembersTable />
      <Invitations />
      <SecondFactorCard />
      <RolesCard />
      {invite && mayInvite.allowed && <InviteDialog onClose={() => void navigate({ search: {} })} />}
    </Page>
  );
};

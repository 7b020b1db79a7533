// The members, and the actions on each.

import { useQueries } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { LogOut, UserCog, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { forgetEverything, useCaller, useSession } from '../../app/session.js';
import { Button } from '../../components/button.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { ask } from '../../data/client.js';
import { useCommand } from '../../data/commands.js';
import { operationQuery, useOperation } from '../../data/queries.js';
import type { DataOf } from '../../data/types.js';
import { dropAllDrafts } from '../../forms/drafts.js';
import { memberStrings as strings } from '../../strings/members.js';
import { type NamedMember, RoleDialog } from './member-dialogs.js';
import { mayChange } from './member-rules.js';

type Member = DataOf<'auth.organizationListMembers'>['members'][number];

const pageSize = 100;
const nameOf = ({ user, userId }: Member): string => user?.name ?? userId;
const roleName = (role: string): string =>
  (strings.roles as Readonly<Record<string, string>>)[role] ?? strings.unknownRole(role);

/** The members page by page, as the person asks for more. */
const useMembers = () => {
  const [pages, setPages] = useState(1);
  const queries = useQueries({
    queries: Array.from({ length: pages }, (_, page) =>
      operationQuery('auth.organizationListMembers', { query: { limit: pageSize, offset: page * pageSize } }),
    ),
  });
  const [first] = queries;
  const rows = first?.data === undefined ? undefined : queries.flatMap(({ data }) => data?.members ?? []);
  return {
    rows,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    hasMore: rows !== undefined && rows.length < (first?.data?.total ?? 0),
    isLoadingMore: queries.some(({ isFetching }) => isFetching),
    loadMore: () => setPages(pages + 1),
    refresh: () => Promise.all(queries.map(({ refetch }) => refetch())),
  };
};

const useLeave = () => {
  const session = useSession();
  const { data: organizations = [] } = useOperation('auth.organizationList', {});
  const leave = useCommand('auth.organizationLeave', { invalidates: [] });
  const navigate = useNavigate();
  const router = useRouter();
  const id = session?.activeOrganizationId;
  const name = organizations.find((one) => one.id === id)?.name ?? strings.thisOrganization;
  const next = organizations.find((one) => one.id !== id);
  return (): void => {
    if (id === undefined) return;
    confirmThat({
      title: strings.leaveTitle(name),
      text: strings.leaveText,
      action: strings.leaveAction,
      wish: leave.wish({ body: { organizationId: id } }),
      done: async () => {
        if (next !== undefined)
          await ask('auth.organizationSetActive', { body: { organizationId: next.id } });
        dropAllDrafts();
        forgetEverything();
        toast.done(strings.left(name));
        await navigate({ to: '/' });
        await router.invalidate();
      },
    });
  };
};

export const MembersTable = () => {
  const session = useSession();
  const own = useCaller()?.role;
  const members = useMembers();
  const remove = useCommand('auth.organizationRemoveMember', {
    invalidates: ['auth.organizationListMembers'],
  });
  const [changed, setChanged] = useState<NamedMember>();
  const mayUpdate = useCan('auth.organizationUpdateMemberRole');
  const mayRemove = useCan('auth.organizationRemoveMember');
  const mayLeave = useCan('auth.organizationLeave');
  const leave = useLeave();
  const askToRemove = (member: Member): void =>
    confirmThat({
      title: strings.removeTitle(nameOf(member)),
      text: strings.removeText,
      action: strings.removeAction,
      wish: remove.wish({ body: { memberIdOrEmail: member.id } }),
      done: () => toast.done(strings.removed(nameOf(member))),
    });
  const columns: readonly Column<Member>[] = [
    {
      id: 'name',
      header: strings.name,
      sortBy: (member) => nameOf(member).toLowerCase(),
      cell: (member) => (
        <div className="min-w-0">
          <p className="font-medium">
            <bdi>{nameOf(member)}</bdi>{' '}
            {member.userId === session?.user.id && <StatusBadge tone="accent">{strings.you}</StatusBadge>}
          </p>
          <p className="text-xs text-ink-soft">{member.user?.email}</p>
        </div>
      ),
    },
    { id: 'role', header: strings.role, sortBy: ({ role }) => role, cell: ({ role }) => roleName(role) },
    {
      id: 'joined',
      header: strings.joined,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
  const itemsOf = (member: Member) => {
    const isYou = member.userId === session?.user.id;
    const target = { role: member.role, isYou };
    if (isYou)
      return [
        {
          label: strings.leave,
          icon: <LogOut aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: leave,
          reason: reasonOf(mayLeave),
        },
      ];
    return [
      {
        label: strings.changeRole,
        icon: <UserCog aria-hidden className={menuIcon} />,
        onSelect: () => setChanged({ id: member.id, name: nameOf(member), role: member.role }),
        reason: reasonOf(mayChange(mayUpdate, own, target)),
      },
      {
        label: strings.remove,
        icon: <UserMinus aria-hidden className={menuIcon} />,
        danger: true,
        onSelect: () => askToRemove(member),
        reason: reasonOf(mayChange(mayRemove, own, target)),
      },
    ];
  };
  return (
    <>
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={members.rows}
        rowId={({ id }) => id}
        rowActions={(member) => <RowMenu name={nameOf(member)} items={itemsOf(member)} />}
        error={members.error}
        retry={() => void members.refresh()}
        empty={null}
      />
      {members.hasMore && (
        <Button busy={members.isLoadingMore} onClick={members.loadMore}>
          {strings.loadMore}
        </Button>
      )}
      {changed !== undefined && <RoleDialog member={changed} onClose={() => setChanged(undefined)} />}
    </>
  );
};

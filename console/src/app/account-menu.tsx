// The menus of the person who is signed in: organization, appearance, sign-out.
import { useNavigate, useRouter } from '@tanstack/react-router';
import {
  BookOpen,
  Building2,
  ChevronsUpDown,
  CircleUser,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Sun,
} from 'lucide-react';
import { buttonClass, IconButton } from '../components/button.js';
import { Menu } from '../components/menu.js';
import { toast } from '../components/toasts.js';
import { useCommand } from '../data/commands.js';
import { useOperation } from '../data/queries.js';
import { expectSession } from '../data/session-loss.js';
import { useStore } from '../data/store.js';
import { dropAllDrafts } from '../forms/drafts.js';
import { appStrings as strings } from '../strings/app.js';
import { forgetEverything, forgetSession, useSession } from './session.js';
import { shortcutsAreShown } from './shortcuts-shown.js';
import { chooseTheme, type Theme, theme } from './theme.js';

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;
const icon = 'mt-0.5 size-4 shrink-0';

export const OrganizationMenu = () => {
  const session = useSession();
  const { data: organizations = [] } = useOperation('auth.organizationList', {});
  const setActive = useCommand('auth.organizationSetActive', { invalidates: [] });
  const router = useRouter();
  const active = organizations.find(({ id }) => id === session?.activeOrganizationId);
  const name = active?.name ?? strings.noOrganization;
  const choose = async (id: string, chosen: string): Promise<void> => {
    if (id === session?.activeOrganizationId) return;
    try {
      await setActive.mutateAsync({ body: { organizationId: id } });
      forgetEverything();
      dropAllDrafts();
      await router.navigate({ to: '/' });
      await router.invalidate();
      toast.done(strings.switched(chosen));
    } catch (error) {
      toast.failure(error);
    }
  };
  return (
    <Menu
      align="start"
      title={strings.organization}
      trigger={
        <button
          type="button"
          aria-label={strings.switchTo(name)}
          className={buttonClass('quiet', 'min-w-0 max-w-56')}
        >
          <Building2 aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{name}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-soft" />
        </button>
      }
      items={organizations.map((organization) => ({
        id: organization.id,
        label: organization.name,
        checked: organization.id === session?.activeOrganizationId,
        onSelect: () => void choose(organization.id, organization.name),
      }))}
    />
  );
};

export const AccountMenu = () => {
  const session = useSession();
  const navigate = useNavigate();
  const signOut = useCommand('auth.signOut', { invalidates: [] });
  const chosen = useStore(theme);
  const leave = async (): Promise<void> => {
    expectSession(false);
    try {
      await signOut.mutateAsync({});
    } catch (error) {
      expectSession(true);
      toast.failure(error);
      return;
    }
    dropAllDrafts();
    forgetSession();
    await navigate({ to: '/sign-in' });
    forgetEverything();
  };
  const name = session?.user.name ?? '';
  return (
    <Menu
      title={session === undefined ? undefined : `${name} · ${session.user.email}`}
      trigger={
        <IconButton name={strings.accountOf(name)} icon={<CircleUser aria-hidden className="size-5" />} />
      }
      items={[
        ...(Object.keys(strings.themes) as Theme[]).map((one) => {
          const Icon = themeIcons[one];
          return {
            label: strings.themes[one],
            icon: <Icon aria-hidden className={icon} />,
            checked: one === chosen,
            onSelect: () => chooseTheme(one),
          };
        }),
        {
          label: strings.shortcuts,
          icon: <Keyboard aria-hidden className={icon} />,
          onSelect: () => shortcutsAreShown.set(true),
        },
        {
          label: strings.docs,
          icon: <BookOpen aria-hidden className={icon} />,
          onSelect: () => location.assign('/api/v1/docs/'),
        },
        {
          label: strings.signOut,
          icon: <LogOut aria-hidden className={icon} />,
          onSelect: () => void leave(),
        },
      ]}
    />
  );
};

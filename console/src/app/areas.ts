// The entries of the navigation, as screens register them.
import type { LucideIcon } from 'lucide-react';
import { appStrings } from '../strings/app.js';

export type Area = keyof typeof appStrings.areas;

export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly area: Area;
  readonly icon: LucideIcon;
  /** Of the entries in its area; smaller comes first. */
  readonly order: number;
}

/** Something that the palette offers beside screens, such as making a record. */
export interface PaletteAction {
  readonly label: string;
  readonly to: string;
}

let entries: readonly NavigationEntry[] = [];
let actions: readonly PaletteAction[] = [];

/** Called once, with what all screens register. */
export const registerNavigation = (
  all: readonly NavigationEntry[],
  allActions: readonly PaletteAction[],
): void => {
  entries = [...all].sort((a, b) => a.order - b.order);
  actions = allActions;
};

export const navigationEntries = (): readonly NavigationEntry[] => entries;
export const paletteActions = (): readonly PaletteAction[] => actions;

// The parts that only the first opening of the panel needs: the conversation, the screens and their style sheet.
import { Conversation } from '../conversation/conversation.js';
import { platformAt } from '../wire/platform.js';
import { createPanel } from './panel.js';
import { css } from './styles.js';

export const panelModule = { Conversation, platformAt, createPanel, css } as const;
export type PanelModule = typeof panelModule;

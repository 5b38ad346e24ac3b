// The screens beside the list, and what they show, each loaded when it is first needed.

import type { ContextsProps } from "../context/Contexts";
import type { FinderProps } from "../finding/Finder";
import type { Ended, RequestView } from "../hub/request";
import type { FurtherProps } from "../kinds/Further";
import { part } from "../parts/later";

export const requestScreen = part<{ id: string }>(() => import("./RequestScreen").then((module) => module.RequestScreen));
export const contexts = part<ContextsProps>(() => import("../context/Contexts").then((module) => module.Contexts));
export const shortIdScreen = part<{ end: string }>(() => import("./ShortId").then((module) => module.ShortId));
export const endedPanel = part<{ view: RequestView; ended: Ended }>(() => import("../answer/Ended").then((module) => module.Ended));
export const furtherControls = part<FurtherProps>(() => import("../kinds/Further").then((module) => module.Further));
export const historyScreen = part(() => import("./History").then((module) => module.History));
export const auditScreen = part(() => import("./Audit").then((module) => module.Audit));
export const dismissing = part(() => import("./Dismissing").then((module) => module.Dismissing));
export const finder = part<FinderProps>(() => import("../finding/Finder").then((module) => module.Finder));
export const settingsScreen = part(() => import("./Settings").then((module) => module.Settings));
export const keysDialog = part(() => import("./Keys").then((module) => module.Keys));
export const loginLinkScreen = part(() => import("./LoginLink").then(({ LoginLink }) => LoginLink));

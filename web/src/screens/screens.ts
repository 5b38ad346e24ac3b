// The screens beside the list, and what they show, each loaded when it is first needed.

import type { ContextsProps } from "../context/Contexts";
import { part } from "../parts/later";

export const requestScreen = part<{ id: string }>(() => import("./RequestScreen").then((module) => module.RequestScreen));
export const contexts = part<ContextsProps>(() => import("../context/Contexts").then((module) => module.Contexts));
export const historyScreen = part(() => import("./History").then((module) => module.History));
export const settingsScreen = part(() => import("./Settings").then((module) => module.Settings));
export const keysDialog = part(() => import("./Keys").then((module) => module.Keys));
export const loginLinkScreen = part(() => import("./LoginLink").then(({ LoginLink }) => LoginLink));

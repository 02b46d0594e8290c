/**
 * What every screen has and none needs to be shown: loaded as soon as a screen is painted, by one request instead of one
 * for each of them.
 */
export { UploadTray } from "../../features/upload/upload-tray.tsx";
export { LanguageMenu } from "./language-menu.tsx";
export { NotificationBell } from "./notification-bell.tsx";
export { ProgressOverlay } from "./progress-overlay.tsx";
export { UserMenu } from "./user-menu.tsx";
export { waitingFor } from "./waiting-for-me.ts";

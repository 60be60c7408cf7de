/** Another user and group for a child process, by number. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

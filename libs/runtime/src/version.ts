/** Version of this build; equal to package.json's (kept by a test). */
export const VERSION = '0.1.0';

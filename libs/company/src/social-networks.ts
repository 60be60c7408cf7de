/** Networks whose profiles an enrichment lists (specification: Enrichment result, `social`). */
export const SOCIAL_NETWORKS = ['linkedin', 'twitter', 'facebook', 'instagram', 'youtube'] as const;
export type SocialNetwork = (typeof SOCIAL_NETWORKS)[number];
export type Socials = Readonly<Partial<Record<SocialNetwork, string>>>;

import { collapse } from '@app/content';
import { MAX_ROLE_CHARS } from '../limits.js';

/** Words that name a job in a company, in several languages. Lower case. */
const WORDS = new Set(
  `ceo member membre mitglied vorstandsmitglied miembro vocal beisitzer membro ledamot cto cfo coo cmo cio cpo cro chro ciso evp svp avp vp md chief president vice-president
  founder cofounder co-founder founders owner co-owner owner-operator proprietor partner
  principal director manager manageress head lead leader supervisor coordinator co-ordinator
  administrator assistant associate analyst engineer developer programmer designer architect
  consultant advisor adviser attorney lawyer paralegal counsel solicitor barrister notary
  accountant bookkeeper auditor controller comptroller dentist orthodontist periodontist
  endodontist prosthodontist hygienist doctor physician surgeon nurse practitioner therapist
  psychologist psychiatrist counselor counsellor veterinarian vet technician technologist
  chiropractor optometrist pharmacist receptionist secretary treasurer chair chairman chairwoman
  chairperson trustee pastor minister deacon priest rabbi elder teacher instructor coach trainer
  professor lecturer tutor chef cook sous-chef baker barista bartender sommelier brewer
  brewmaster winemaker vintner roaster butcher stylist colorist barber esthetician aesthetician
  cosmetologist electrician plumber mechanic machinist welder foreman superintendent estimator
  installer carpenter mason painter roofer driver dispatcher pilot captain photographer
  videographer editor writer copywriter producer artist illustrator florist groomer broker
  realtor agent specialist representative rep executive officer operator operations sales
  marketing intern apprentice researcher scientist fellow curator librarian guide planner
  strategist recruiter buyer merchandiser inspector surveyor appraiser adjuster underwriter
  actuary economist translator interpreter investigator ambassador evangelist tattooist tattooer
  farmer gardener landscaper arborist horticulturist agronomist beekeeper luthier shipwright
  joiner cabinetmaker upholsterer jeweler jeweller goldsmith tailor seamstress midwife doula
  dietitian nutritionist acupuncturist masseuse yogi dancer choreographer clerk host hostess
  sommelière concierge housekeeper caretaker custodian geschäftsführer geschäftsführerin
  geschäftsführung inhaber inhaberin gründer gründerin mitgründer mitgründerin leiter leiterin
  leitung prokurist prokuristin vorstand vorstandsvorsitzender vorstandsvorsitzende vorsitzender
  vorsitzende assistenz assistent assistentin mitarbeiter mitarbeiterin ansprechpartner
  ansprechpartnerin meister meisterin rechtsanwalt rechtsanwältin fachanwalt fachanwältin notar
  notarin steuerberater steuerberaterin wirtschaftsprüfer arzt ärztin zahnarzt zahnärztin
  tierarzt tierärztin apotheker apothekerin buchhaltung buchhalter buchhalterin vertrieb verkauf
  einkauf entwickler entwicklerin berater beraterin azubi auszubildende auszubildender
  sekretariat verwaltung koch köchin küchenchef küchenchefin bäcker bäckerin konditor konditorin
  geselle gesellin architekt architektin ingenieur ingenieurin techniker technikerin bauleiter
  bauleiterin monteur empfang kundenservice kundenbetreuung kundenberater sachbearbeiter
  sachbearbeiterin disponent personal personalwesen werkstatt werkstattleiter lager
  physiotherapeut physiotherapeutin winzer winzerin directeur directrice gérant gérante fondateur
  fondatrice cofondateur cofondatrice président présidente associé associée responsable cheffe
  avocat avocate notaire médecin comptable ingénieur ingénieure architecte conseiller conseillère
  assistante secrétaire commercial commerciale développeur développeuse graphiste chargé chargée
  pâtissier pâtissière boulanger boulangère dentiste pharmacien pharmacienne vétérinaire
  ostéopathe kinésithérapeute artisan vigneron vigneronne technicien technicienne directora
  gerente fundador fundadora cofundador cofundadora socio socia presidente presidenta abogado
  abogada jefe jefa ingeniero ingeniera arquitecto arquitecta contador contadora asesor asesora
  médico médica dentista odontólogo odontóloga coordinador coordinadora administrador
  administradora ventas cocinero cocinera propietario propietaria dueño dueña técnico técnica
  consejero consejera diseñador diseñadora enólogo enóloga veterinario veterinaria secretaria
  recepcionista direttore direttrice titolare fondatore amministratore amministratrice avvocato
  avvocata responsabile commercialista architetto architetta ingegnere medico segretaria
  segreteria consulente cuoco cuoca enologo enologa impiegata impiegato tecnico coordinatore
  coordinatrice agronomo artigiano diretor diretora sócio sócia advogado advogada engenheiro
  engenheira arquiteto arquiteta gestor gestora vendas coordenador coordenadora proprietário
  proprietária eigenaar eigenaresse oprichter medewerker medewerkster adviseur advocaat
  zaakvoerder vennoot hoofd tandarts boekhouder projectleider verkoopleider bestuurder huisarts
  bakker prezes dyrektor kierownik właściciel właścicielka założyciel założycielka specjalista
  specjalistka radca adwokat księgowa księgowy lekarz zarządu członek wiceprezes vd direktör
  ägare grundare säljare konsult ansvarig projektledare ekonom direktør ejer indehaver stifter
  daglig medarbejder projektleder rådgiver tandlæge sælger bogholder tømrer toimitusjohtaja
  yrittäjä johtaja päällikkö asiantuntija jednatel jednatelka ředitel ředitelka vedoucí majitel
  majitelka kurucu müdür müdürü директор основатель менеджер руководитель бухгалтер юрист инженер
  врач`.split(/\s+/),
);
/** Ends of compounds: Projektleiter, Vertriebsleiterin, Steuerfachangestellte, projektchef. */
const COMPOUND =
  /.{3}(?:leiter|leiterin|leitung|führer|führerin|berater|beraterin|meister|meisterin|anwalt|anwältin|arzt|ärztin|assistenz|assistentin|assistent|entwickler|entwicklerin|betreuer|betreuerin|techniker|technikerin|ingenieur|ingenieurin|angestellte|angestellter|fachfrau|fachmann|kauffrau|kaufmann|chef|chefin|mitarbeiter|mitarbeiterin|therapeut|therapeutin|terapeuta|terapista|terapeut|arkitekt|architect|hygiënist|hygienist|designerin|managerin|vorstand|verwaltung|buchhaltung|geselle|gesellin|manager|ansvarig|johtaja|päällikkö|medewerker|leider|directeur|konsulent|chefen|leder|ician|ologist|grapher)$/u;
const EAST_ASIAN =
  /代表|取締役|社長|部長|課長|執行役員|創業者|監査役|店長|税理士|弁護士|会長|院長|専務|常務|工場長|料理長|杜氏|大表|대표|이사|팀장|董事|总经理|經理|经理|总监/;
/** A sentence, a price or an appeal: no role. */
const SENTENCE =
  /[.!?]\s+\p{Lu}|[!?…]$|[_{}=<>\\]|^(?:[Tt]he|[Oo]ur|[Yy]our|[Tt]his|[Tt]hese|[Dd]as|[Dd]ie|[Ll]es)\s|\$\d|€|\b(?:is|was|are|has|have|will|ist|hat|war|est|es|è)\b/u;
const MAX_WORDS = 14;

/**
 * An email address or a telephone number with its label: the role ends before it. White space is
 * collapsed.
 */
const CONTACT =
  /\s?(?:[|•·–—,-]\s?)?(?:(?:e-?mail|tel|phone|t|m|e)\s?[.:]\s?)?(?:\S{1,64}@\S|\(?\+?\d[\d\s().-]{6,40}\d)/iu;

/** The role in a text that may be one: bounded, in one line, without addresses and numbers. */
export function roleText(text: string): string | undefined {
  const [before = ''] = collapse(text).split(CONTACT, 1);
  const role = before
    .replace(/^[\s|•·–—,:-]+|(?<![\s|•·–—,:-])[\s|•·–—,:-]+$/gu, '')
    .replace(/^\((.{2,118})\)$/u, '$1')
    .replace(/\s?\((?:e-?mail|mail|contact|bio)?\)?$/i, '')
    .trim();
  if (role.length < 2 || role.length > MAX_ROLE_CHARS) return undefined;
  if (role.split(' ').length > MAX_WORDS || SENTENCE.test(role)) return undefined;
  return /^["“„«‘]|["”»]$|\.$/u.test(role) && !/\b(?:Inc|Jr|Sr|Dept|Mgr|Dir|Asst)\.$/.test(role)
    ? undefined
    : role;
}

/** Whether a role is one by its words. */
export const isKnownRole = (role: string): boolean =>
  EAST_ASIAN.test(role) || wordsOf(role).some(isRoleWord);

/** Words for work that are family names, too. */
const SURNAMES = new Set(
  'baker cook mason carpenter painter farmer gardener butcher barber brewer tailor guide head chef koch winzer meister bäcker miller porter lead booker plumber roofer rabbi priest elder host buyer driver dancer vet md vp coach'.split(
    ' ',
  ),
);

/** Whether a text names a role and cannot be a name: "Tax Manager", but not "Anna Baker". */
export const isRoleAndNoName = (text: string): boolean =>
  EAST_ASIAN.test(text) ||
  (text.length <= MAX_ROLE_CHARS &&
    wordsOf(text).some((word) => isRoleWord(word) && !SURNAMES.has(word)));

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\p{L}\p{M}-]+/u);

const isRoleWord = (word: string): boolean =>
  WORDS.has(word) ||
  COMPOUND.test(word) ||
  (word.includes('-') && word.split('-').some((part) => WORDS.has(part) && part !== 'md'));

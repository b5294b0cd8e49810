/**
 * Extensions that mailboxes reject, without their dot. The union of three published lists (read November 2026):
 * SES "Unsupported attachment types" (docs.aws.amazon.com/ses/latest/dg/mime-types.html), which fails the send;
 * Gmail "File types blocked" (support.google.com/mail/answer/6590); Outlook "Blocked attachments" (support.microsoft.com).
 */
const lists = [
  // SES
  `ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib lnk
   mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp
   mst ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps
   vsmacros vss vst vsw vxd ws wsc wsf wsh xnk`,
  // Gmail, besides
  `apk appx appxbundle cab diagcab diagcfg diagpkg dll dmg ex ex_ img iso jar jnlp mjs msix msixbundle nsh vhd xll`,
  // Outlook, besides
  `application appref-ms aspx asx bgi cdxml cnt grp hpj htc mcf mht mhtml msu osd pl printerexport psd1 psdm1 pssc pst
   py pyc pyo pyw pyz pyzw theme udl vbp vhdx webpnp website wsb xbap`,
];

export const forbiddenExtensions: ReadonlySet<string> = new Set(lists.flatMap((list) => list.split(/\s+/)));
